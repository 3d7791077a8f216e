/* A program that does nothing, with debug info of just the forms that Dart's compiler writes, and one of each opcode of DWARF 2's line numbers.
 * ADDRESS: .quad or .long; ADDRESS_SIZE: 8 or 4. */
	.text
	.p2align 6
	.globl _kDartSnapshotText
	.type _kDartSnapshotText, %object
_kDartSnapshotText:
	.space 64
main:
	.space 32
	.type main, %function
	.size main, 32
add:
	.space 32
	.hidden inner
	.globl inner
inner:
	.space 32
	.weak weak
weak:
	.space 512
.Lend:

	.section .debug_abbrev,"",%progbits
	.uleb128 1, 0x11
	.byte 1
	.uleb128 0x03, 0x08, 0x25, 0x08, 0x1b, 0x08, 0x11, 0x01, 0x12, 0x01, 0x10, 0x17, 0, 0
	.uleb128 2, 0x2e
	.byte 1
	.uleb128 0x03, 0x08, 0x3a, 0x0f, 0x3b, 0x0f, 0x39, 0x0f, 0x20, 0x0f, 0, 0
	.uleb128 3, 0x2e
	.byte 1
	.uleb128 0x31, 0x13, 0x11, 0x01, 0x12, 0x01, 0x34, 0x0c, 0, 0
	.uleb128 4, 0x1d
	.byte 1
	.uleb128 0x31, 0x13, 0x11, 0x01, 0x12, 0x01, 0x34, 0x0c, 0x58, 0x0f, 0x59, 0x0f, 0x57, 0x0f, 0, 0
	.uleb128 5, 0x4242
	.byte 0
	.uleb128 0x1234, 0x0d, 0x03, 0x0e, 0x3b, 0x21
	.sleb128 -5
	.uleb128 0, 0
	.uleb128 0
	.uleb128 0

	.section .debug_str,"MS",%progbits,1
	.asciz "elsewhere"
	.asciz "d\303\251j\303\240 vu"

	.section .debug_info,"",%progbits
.Lunit:
	.long .Lunit_end - .Lunit_begin
.Lunit_begin:
	.short 2
	.long 0
	.byte ADDRESS_SIZE
	.uleb128 1
	.asciz "package:demo/main.dart"
	.asciz "Dart VM"
	.asciz ""
	ADDRESS main
	ADDRESS .Lend
	.long 0
.Labstract_main:
	.uleb128 2
	.asciz "main"
	.uleb128 1, 10, 0, 1
	.uleb128 0
.Labstract_add:
	.uleb128 2
	.asciz "List.add"
	.uleb128 2, 300, 7, 1
	.uleb128 0
	.uleb128 3
	.long .Labstract_main - .Lunit
	ADDRESS main
	ADDRESS add
	.byte 0
	.uleb128 4
	.long .Labstract_add - .Lunit
	ADDRESS main + 8
	ADDRESS main + 16
	.byte 1
	.uleb128 1, 12, 9
	.uleb128 4
	.long .Labstract_main - .Lunit
	ADDRESS main + 10
	ADDRESS main + 12
	.byte 0
	.uleb128 2, 200000, 0
	.uleb128 0
	.uleb128 0
	.uleb128 0
	.uleb128 3
	.long .Labstract_add - .Lunit
	ADDRESS add
	ADDRESS inner
	.byte 1
	.uleb128 0
	.uleb128 5
	.sleb128 -70000
	.long 10
	.uleb128 0
.Lunit_end:

	.section .debug_line,"",%progbits
	.long .Lline_end - .Lline_begin
.Lline_begin:
	.short 2
	.long .Lline_program - .Lline_header
.Lline_header:
	.byte 1, 1, 0, 1, 13
	.uleb128 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
	.asciz "lib"
	.byte 0
	.asciz "package:demo/main.dart"
	.uleb128 0, 0, 0
	.asciz "dart:core-patch/growable_array.dart"
	.uleb128 1, 1700000000, 123456
	.byte 0
.Lline_program:
	.byte 0, ADDRESS_SIZE + 1, 2
	ADDRESS main
	.byte 3
	.sleb128 9
	.byte 5
	.uleb128 4
	.byte 1
	.byte 4
	.uleb128 2
	.byte 3
	.sleb128 -10
	.byte 2
	.uleb128 8
	.byte 7, 1
	.byte 6, 10, 11, 12
	.uleb128 3
	.byte 8, 9
	.short 5
	.byte 1
	.byte 20
	.byte 0, ADDRESS_SIZE + 1, 2
	ADDRESS .Lend
	.byte 0, 1, 1
.Lline_end:
