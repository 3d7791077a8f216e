# Sections of one name, as compilers write them for COMDAT groups: one without code, one with, and two with code at the same offset.
	.section .text.unlikely,"axG",@progbits,none,comdat
	.section .text.unlikely,"ax",@progbits
	.globl cold
	.type cold, @function
cold:
	nop
	.size cold, 1
	.section .text.twice,"axG",@progbits,first,comdat
	.globl first
	.type first, @function
first:
	nop
	nop
	.size first, 2
	.section .text.twice,"axG",@progbits,second,comdat
	.globl second
	.type second, @function
second:
	nop
	nop
	nop
	nop
	.size second, 4
