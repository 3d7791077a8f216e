/* Tests of the demangler of Swift's symbol names. */
#include "resolve/demangle/swift/swift_demangle.h"

#include "core/limits.h"
#include "core/text/buffer.h"
#include "core/text/mangled.h"
#include "resolve/demangle/demangle.h"
#include "resolve/demangle/punycode.h"
#include "tests/resolve/demangle/demangle_help.h"

/* Names of a module "shop". The expected texts are those that swift-demangle of Swift 6.3 prints with -simplified and
 * without; names of run-time classes ("_Tt…") are those of its tests of the old mangling. */
static const struct {
    const char *why, *symbol, *simplified, *full;
} rows[] = {
    {"a function", "$s4shop3payyyF", "pay()", "shop.pay() -> ()"},
    {"a method with labels", "$s4shop5StoreC3add4item5countSbSS_SitF", "Store.add(item:count:)",
     "shop.Store.add(item: Swift.String, count: Swift.Int) -> Swift.Bool"},
    {"a method, some arguments without a label", "_$s4shop5StoreC3add_2to1_ySS_S2itF", "Store.add(_:to:_:)",
     "shop.Store.add(_: Swift.String, to: Swift.Int, _: Swift.Int) -> ()"},
    {"one argument without a label", "$s4shop4openyySSF", "open(_:)", "shop.open(Swift.String) -> ()"},
    {"an operator", "$s4shop5MoneyV2eeoiySbAC_ACtFZ", "static Money.== infix(_:_:)",
     "static shop.Money.== infix(shop.Money, shop.Money) -> Swift.Bool"},
    {"prefix and postfix operators", "$s4shop5MoneyV1sopyA2CFZ", "static Money.- prefix(_:)",
     "static shop.Money.- prefix(shop.Money) -> shop.Money"},
    {"a postfix operator of other characters", "$s4shop5MoneyV3naxoPyA2CFZ", "static Money.!&^ postfix(_:)",
     "static shop.Money.!&^ postfix(shop.Money) -> shop.Money"},
    {"an initializer of a class", "$s4shop5StoreC4nameACSS_tcfC", "Store.__allocating_init(name:)",
     "shop.Store.__allocating_init(name: Swift.String) -> shop.Store"},
    {"an initializer that fails", "$s4shop5MoneyV4textACSgSS_tcfC", "Money.init(text:)",
     "shop.Money.init(text: Swift.String) -> shop.Money?"},
    {"the initializer proper", "$s4shop5StoreCACycfc", "Store.init()", "shop.Store.init() -> shop.Store"},
    {"deinitializers", "$s4shop5StoreCfD", "Store.__deallocating_deinit", "shop.Store.__deallocating_deinit"},
    {"the deinitializer proper", "$s4shop5StoreCfd", "Store.deinit", "shop.Store.deinit"},
    {"an isolated deinitializer", "$s4shop5StoreCfZ", "Store.__isolated_deallocating_deinit",
     "shop.Store.__isolated_deallocating_deinit"},
    {"a getter", "$s4shop5StoreC5countSivg", "Store.count.getter", "shop.Store.count.getter : Swift.Int"},
    {"a setter of an optional", "$s4shop5StoreC4nameSSSgvs", "Store.name.setter",
     "shop.Store.name.setter : Swift.String?"},
    {"a coroutine accessor", "$s4shop5StoreC4nameSSvM", "Store.name.modify", "shop.Store.name.modify : Swift.String"},
    {"an observer", "$s4shop5StoreC4nameSSvW", "Store.name.didset", "shop.Store.name.didset : Swift.String"},
    {"a static variable's address", "$s4shop5StoreC6sharedACvau", "Store.shared.unsafeMutableAddressor",
     "shop.Store.shared.unsafeMutableAddressor : shop.Store"},
    {"the variable itself", "$s4shop5StoreC4nameSSvpZ", "static Store.name", "static shop.Store.name : Swift.String"},
    {"a subscript", "$s4shop5StoreCySSSicig", "Store.subscript.getter",
     "shop.Store.subscript.getter : (Swift.Int) -> Swift.String"},
    {"a subscript with a label", "$s4shop5StoreC2atSSSi_tcis", "Store.subscript.setter",
     "shop.Store.subscript.setter : (at: Swift.Int) -> Swift.String"},
    {"a closure in a function", "$s4shop3payyyFyycfU_", "closure #1 in pay()",
     "closure #1 () -> () in shop.pay() -> ()"},
    {"a second closure in a closure", "$s4shop3payyyFyycfU_SiSScfU0_", "closure #2 in closure #1 in pay()",
     "closure #2 (Swift.String) -> Swift.Int in closure #1 () -> () in shop.pay() -> ()"},
    {"an implicit closure", "$s4shop3payyyFyycfu_", "implicit closure #1 in pay()",
     "implicit closure #1 () -> () in shop.pay() -> ()"},
    {"a default argument", "$s4shop3pay4withySi_tFfA_", "default argument 0 of pay(with:)",
     "default argument 0 of shop.pay(with: Swift.Int) -> ()"},
    {"the value of a stored property", "$s4shop5StoreC4nameSSvpfi", "variable initialization expression of Store.name",
     "variable initialization expression of shop.Store.name : Swift.String"},
    {"a local function", "$s4shop3payyyF5checkL_yyF", "check #1 () in pay()", "check #1 () -> () in shop.pay() -> ()"},
    {"a local type", "$s4shop3payyyF5CacheL_V4sizeSivg", "size.getter in Cache #1 in pay()",
     "size.getter : Swift.Int in Cache #1 in shop.pay() -> ()"},
    {"a private method", "$s4shop5StoreC4sync33_0123456789ABCDEF0123456789ABCDEFLLyyF", "Store.sync()",
     "shop.Store.(sync in _0123456789ABCDEF0123456789ABCDEF)() -> ()"},
    {"a type without a name of its own", "$s4shop5Store33_0123456789ABCDEF0123456789ABCDEFLLV", "Store",
     "shop.(Store in _0123456789ABCDEF0123456789ABCDEF)"},
    {"an extension of another module's type", "$sSS4shopE4trimSSyF", "String.trim()",
     "(extension in shop):Swift.String.trim() -> Swift.String"},
    {"an extension with a condition", "$sSa4shopSHRzlE4uniqSayxGyF", "Array<A>.uniq()",
     "(extension in shop):Swift.Array<A where A: Swift.Hashable>.uniq() -> [A]"},
    {"a generic function", "$s4shop4sortySayxGACSLRzlF", "sort<A>(_:)",
     "shop.sort<A where A: Swift.Comparable>([A]) -> [A]"},
    {"two parameters and requirements", "$s4shop3mapyq_x_q_xXEtr0_lF", "map<A, B>(_:_:)",
     "shop.map<A, B>(A, (A) -> B) -> B"},
    {"a requirement on a member", "$s4shop3sumySix_tSTRzSi7ElementRtzlF", "sum<A>(_:)",
     "shop.sum<A where A: Swift.Sequence, A.Element == Swift.Int>(A) -> Swift.Int"},
    {"a class constraint", "$s4shop3useyyxAA5StoreCRbzlF", "use<A>(_:)", "shop.use<A where A: shop.Store>(A) -> ()"},
    {"AnyObject", "$s4shop3useyyxRlzClF", "use<A>(_:)", "shop.use<A where A: AnyObject>(A) -> ()"},
    {"words of earlier identifiers", "$s9ShopStore07BigShopB0V04bigB0yyF", "BigShopStore.bigB()",
     "ShopStore.BigShopStore.bigB() -> ()"},
    {"async and throws", "$s4shop5StoreC4load4fromS2S_tYaKF", "Store.load(from:)",
     "shop.Store.load(from: Swift.String) async throws -> Swift.String"},
    {"typed throws", "$s4shop3payyyAA5ErrorOYKF", "pay()", "shop.pay() throws(shop.Error) -> ()"},
    {"half of an async function", "$s4shop5StoreC4loadSSyYaFTY0_", "Store.load()",
     "(1) suspend resume partial function for shop.Store.load() async -> Swift.String"},
    {"the other half", "$s4shop5StoreC4loadSSyYaFTQ1_", "Store.load()",
     "(2) await resume partial function for shop.Store.load() async -> Swift.String"},
    {"the pointer to an async function", "$s4shop5StoreC4loadSSyYaFTu", "async function pointer to Store.load()",
     "async function pointer to shop.Store.load() async -> Swift.String"},
    {"a function of the main actor", "$s4shop3run5blockyyyScMYcXE_tF", "run(block:)",
     "shop.run(block: @Swift.MainActor () -> ()) -> ()"},
    {"a sendable closure", "$s4shop3run5blockyyyYbc_tF", "run(block:)", "shop.run(block: @Sendable () -> ()) -> ()"},
    {"a function pointer and a block", "$s4shop3run1f1gyyyXC_yyXBtF", "run(f:g:)",
     "shop.run(f: @convention(c) () -> (), g: @convention(block) () -> ()) -> ()"},
    {"an autoclosure", "$s4shop3logyySSyXKF", "log(_:)", "shop.log(@autoclosure () -> Swift.String) -> ()"},
    {"arguments in and out", "$s4shop4swapyyxz_xztlF", "swap<A>(_:_:)", "shop.swap<A>(inout A, inout A) -> ()"},
    {"owned and shared", "$s4shop4takeyySSn_SShtF", "take(_:_:)",
     "shop.take(__owned Swift.String, __shared Swift.String) -> ()"},
    {"variadic arguments", "$s4shop3maxyS2id_tF", "max(_:)", "shop.max(Swift.Int...) -> Swift.Int"},
    {"tuples", "$s4shop4pairSi5first_SS6secondtyF", "pair()",
     "shop.pair() -> (first: Swift.Int, second: Swift.String)"},
    {"dictionaries, sets and optionals", "$s4shop3mapyySDyShySSGSgSaySiGGF", "map(_:)",
     "shop.map([Swift.Set<Swift.String>? : [Swift.Int]]) -> ()"},
    {"an optional function", "$s4shop2onyyyycSgF", "on(_:)", "shop.on((() -> ())?) -> ()"},
    {"metatypes", "$s4shop4makeyySim_yXlXptF", "make(_:_:)", "shop.make(Swift.Int.Type, Swift.AnyObject.Type) -> ()"},
    {"an existential", "$s4shop3useyyAA7Payable_AA5NamedpF", "use(_:)", "shop.use(shop.Payable & shop.Named) -> ()"},
    {"a class and a protocol", "$s4shop3useyyAA7Payable_AA5StoreCXcF", "use(_:)",
     "shop.use(shop.Store & shop.Payable) -> ()"},
    {"any type", "$s4shop4dumpyyypF", "dump(_:)", "shop.dump(Any) -> ()"},
    {"a protocol with an argument", "$s4shop3useyySl_pSi7ElementRts_XPF", "use(_:)",
     "shop.use(any Swift.Collection<Self.Element == Swift.Int>) -> ()"},
    {"an Objective-C class", "$sSo8UIButtonC4shopE3tapyyF", "UIButton.tap()",
     "(extension in shop):__C.UIButton.tap() -> ()"},
    {"a C structure", "$s4shop4areayySo6CGRectVF", "area(_:)", "shop.area(__C.CGRect) -> ()"},
    {"a nested generic type", "$s4shop5CacheV4NodeVySi_SSG", "Cache<Int>.Node<String>",
     "shop.Cache<Swift.Int>.Node<Swift.String>"},
    {"a generic type's argument", "$s4shop3fixyyAA5CacheVySiGF", "fix(_:)", "shop.fix(shop.Cache<Swift.Int>) -> ()"},
    {"opaque results", "$s4shop4viewQryF", "view()", "shop.view() -> some"},
    {"the opaque result of a function", "$s4shop3useyyAA4viewQryFQOyQo_F", "use(_:)",
     "shop.use(<<opaque return type of shop.view() -> some>>.0) -> ()"},
    {"associated types", "$s4shop7PayableP3payyy4CoinQzF", "Payable.pay(_:)", "shop.Payable.pay(A.Coin) -> ()"},
    {"packs", "$s4shop4zipsyyxxQpRvzlF", "zips<each A>(_:)", "shop.zips<each A>(repeat A) -> ()"},
    {"a noncopyable parameter", "$s4shop4takeyyxnRi_zlF", "take<A>(_:)",
     "shop.take<A where A: ~Swift.Copyable>(__owned A) -> ()"},
    {"a curry thunk", "$s4shop5StoreC4openyyFTc", "curry thunk of Store.open()",
     "curry thunk of shop.Store.open() -> ()"},
    {"a dispatch thunk", "$s4shop5StoreC4openyyFTj", "dispatch thunk of Store.open()",
     "dispatch thunk of shop.Store.open() -> ()"},
    {"a method descriptor", "$s4shop5StoreC4openyyFTq", "method descriptor for Store.open()",
     "method descriptor for shop.Store.open() -> ()"},
    {"a vtable thunk", "$s4shop5StoreC4openyyFAA4BaseCADyyFTV",
     "vtable thunk for Base.open() dispatching to Store.open()",
     "vtable thunk for shop.Base.open() -> () dispatching to shop.Store.open() -> ()"},
    {"a protocol witness", "$s4shop5StoreCAA7PayableA2aDP3payyyFTW",
     "protocol witness for Payable.pay() in conformance Store",
     "protocol witness for shop.Payable.pay() -> () in conformance shop.Store : shop.Payable in shop"},
    {"partial application", "$s4shop3payyyFyycfU_TA", "partial apply for closure #1 in pay()",
     "partial apply forwarder for closure #1 () -> () in shop.pay() -> ()"},
    {"a merged function", "$s4shop5StoreC4openyyFTm", "Store.open()", "merged shop.Store.open() -> ()"},
    {"@objc", "$s4shop5StoreC4openyyFTo", "@objc Store.open()", "@objc shop.Store.open() -> ()"},
    {"dynamic replacement", "$s4shop5StoreC4openyyFTI", "Store.open()",
     "dynamically replaceable thunk for shop.Store.open() -> ()"},
    {"a distributed thunk", "$s4shop5StoreC4openyyFTE", "Store.open()", "distributed thunk shop.Store.open() -> ()"},
    {"back deployment", "$s4shop4openyyFTwb", "open()", "back deployment thunk for shop.open() -> ()"},
    {"a generic specialization", "$s4shop4sortySayxGACSLRzlFSi_Tg5", "specialized sort<A>(_:)",
     "generic specialization <Swift.Int> of shop.sort<A where A: Swift.Comparable>([A]) -> [A]"},
    {"a specialization with the letter of older compilers", "$s4shop4sortySayxGACSLRzlFSi_Tgm5",
     "specialized sort<A>(_:)",
     "generic specialization <Swift.Int> of shop.sort<A where A: Swift.Comparable>([A]) -> [A]"},
    {"two specializations are one in the short form", "$s4shop4sortySayxGACSLRzlFSi_Tg5Tf4nd_n",
     "specialized sort<A>(_:)",
     "function signature specialization <Arg[1] = Dead> of generic specialization <Swift.Int> of shop.sort<A where A: "
     "Swift.Comparable>([A]) -> [A]"},
    {"arguments exploded, dead and owned", "$s4shop3payyySi_SSSStFTf4xdgXeDoX_n", "specialized pay(_:_:_:)",
     "function signature specialization <Arg[0] = Exploded, Arg[1] = Dead, Arg[2] = Owned To Guaranteed and Exploded, "
     "Arg[3] = Existential To Protocol Constrained Generic and Dead, Arg[4] = Guaranteed To Owned and Exploded> of "
     "shop.pay(Swift.Int, Swift.String, Swift.String) -> ()"},
    {"constants", "$s4shop3payyySi_SStF4shopTf4pi42psb_nTm", "specialized pay(_:_:)",
     "merged function signature specialization <Arg[0] = [Constant Propagated Integer : 42], Arg[1] = [Constant "
     "Propagated String : u8'shop']> of shop.pay(Swift.Int, Swift.String) -> ()"},
    {"a constant function by name", "$s4shop3runyyyycF14$s4shop3payyyFTf3pf_n", "specialized run(_:)",
     "function signature specialization <Arg[0] = [Constant Propagated Function : shop.pay() -> ()]> of shop.run(() -> "
     "()) -> ()"},
    {"a closure that is passed", "$s4shop3runyyyycF14$s4shop3payyyFSiTf1c_n", "specialized run(_:)",
     "function signature specialization <Arg[0] = [Closure Propagated : $s4shop3payyyF, Argument Types : [Swift.Int]> "
     "of shop.run(() -> ()) -> ()"},
    {"inlined and partial", "$s4shop4sortySayxGACSLRzlFSi_Ti5", "specialized sort<A>(_:)",
     "inlined generic function <Swift.Int> of shop.sort<A where A: Swift.Comparable>([A]) -> [A]"},
    {"a thunk between conventions", "$sSiIegy_SiytIegnr_TR",
     "thunk for @escaping @callee_guaranteed (@unowned Int) -> ()",
     "reabstraction thunk helper from @escaping @callee_guaranteed (@unowned Swift.Int) -> () to @escaping "
     "@callee_guaranteed (@in_guaranteed Swift.Int) -> (@out ())"},
    {"a thunk of a sendable async function", "$sSSs5Error_pIeghHozo_SSsAA_pIegHrzo_TR",
     "thunk for @escaping @callee_guaranteed @Sendable @async () -> (@owned String, @error @owned Error)",
     "reabstraction thunk helper from @escaping @callee_guaranteed @Sendable @async () -> (@owned Swift.String, @error "
     "@owned Swift.Error) to @escaping @callee_guaranteed @async () -> (@out Swift.String, @error @owned Swift.Error)"},
    {"a thunk with a global actor", "$sIeg_ytIegr_TRScMTU",
     "thunk for @escaping @callee_guaranteed () -> () with global actor constraint MainActor",
     "reabstraction thunk helper from @escaping @callee_guaranteed () -> () to @escaping @callee_guaranteed () -> "
     "(@out ()) with global actor constraint Swift.MainActor"},
    {"a thunk with self", "$sxIegn_xIegy_xTy",
     "reabstraction thunk from @escaping @callee_guaranteed (@in_guaranteed A) -> () to @escaping @callee_guaranteed "
     "(@unowned A) -> () self A",
     "reabstraction thunk from @escaping @callee_guaranteed (@in_guaranteed A) -> () to @escaping @callee_guaranteed "
     "(@unowned A) -> () self A"},
    {"an Objective-C completion handler", "$sSo8NSStringCSo7NSErrorCSgIeyByy_SSTz_",
     "@objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned "
     "NSString, @unowned NSError?) -> () with result type String",
     "@objc completion handler block implementation for @escaping @callee_unowned @convention(block) (@unowned "
     "__C.NSString, @unowned __C.NSError?) -> () with result type Swift.String"},
    {"a key path's getter", "$s4shop5StoreC4nameSSvpACTK", "key path getter for Store.name : Store",
     "key path getter for shop.Store.name : Swift.String : shop.Store"},
    {"a key path's setter", "$s4shop5StoreC4nameSSvpACTkq", "key path setter for Store.name : Store, serialized",
     "key path setter for shop.Store.name : Swift.String : shop.Store, serialized"},
    {"a key path's index", "$sSiSSTH", "key path index equality operator for (Int, String)",
     "key path index equality operator for (Swift.Int, Swift.String)"},
    {"an outlined copy", "$s4shop5MoneyVSgWOy", "outlined copy of Money?", "outlined copy of shop.Money?"},
    {"an outlined variable", "$s4shop3payyyFTv_", "outlined variable #0 of pay()",
     "outlined variable #0 of shop.pay() -> ()"},
    {"an outlined destroy", "$sSS_SitWOh", "outlined destroy of (String, Int)",
     "outlined destroy of (Swift.String, Swift.Int)"},
    {"a bridged method", "$sSo8NSStringC4shopE4trimyyFToTeonb_",
     "outlined bridged method (onb) of @objc NSString.trim()",
     "outlined bridged method (onb) of @objc (extension in shop):__C.NSString.trim() -> ()"},
    {"type metadata", "$s4shop5StoreCN", "type metadata for Store", "type metadata for shop.Store"},
    {"an accessor of metadata", "$s4shop5StoreCMa", "type metadata accessor for Store",
     "type metadata accessor for shop.Store"},
    {"a metaclass", "$s4shop5StoreCMm", "metaclass for Store", "metaclass for shop.Store"},
    {"a nominal type descriptor", "$s4shop5StoreCMn", "nominal type descriptor for Store",
     "nominal type descriptor for shop.Store"},
    {"a reflection descriptor", "$s4shop5StoreCMF", "reflection metadata field descriptor Store",
     "reflection metadata field descriptor shop.Store"},
    {"a demangling cache", "$sSay4shop5MoneyVGMD", "demangling cache variable for type metadata for [Money]",
     "demangling cache variable for type metadata for [shop.Money]"},
    {"a lazy cache", "$sSay4shop5MoneyVGML", "lazy cache variable for type metadata for [Money]",
     "lazy cache variable for type metadata for [shop.Money]"},
    {"a module descriptor", "$s4shopMXM", "module descriptor ", "module descriptor shop"},
    {"a protocol descriptor", "$s4shop7PayableMp", "protocol descriptor for Payable",
     "protocol descriptor for shop.Payable"},
    {"a conformance descriptor", "$s4shop5StoreCAA7PayableAAMc", "protocol conformance descriptor for Store",
     "protocol conformance descriptor for shop.Store : shop.Payable in shop"},
    {"a witness table", "$s4shop5StoreCAA7PayableAAWP", "protocol witness table for Store",
     "protocol witness table for shop.Store : shop.Payable in shop"},
    {"a lazy witness table", "$sSay4shop5MoneyVGSayxGSTsWl",
     "lazy protocol witness table accessor for type [Money] and conformance [A]",
     "lazy protocol witness table accessor for type [shop.Money] and conformance [A] : Swift.Sequence in Swift"},
    {"an associated type's witness", "$s4shop5StoreCAA7PayableAA4CoinAaDP_AA5NamedPWT",
     "associated type witness table accessor for Payable.Coin : Named in Store",
     "associated type witness table accessor for shop.Payable.Coin : shop.Named in shop.Store : shop.Payable in shop"},
    {"a field's offset", "$s4shop5StoreC4nameSSvpWvd", "direct field offset for Store.name",
     "direct field offset for shop.Store.name : Swift.String"},
    {"an enum case", "$s4shop5MoneyO4euroyA2CmFWC", "enum case for Money.euro(_:)",
     "enum case for shop.Money.euro(shop.Money.Type) -> shop.Money"},
    {"the initializer of a global variable", "$s4shop5MoneyV4zero_WZ", "one-time initialization function for zero",
     "one-time initialization function for zero"},
    {"several of them", "$s4shop1a_1b_Wz", "one-time initialization token for (a, b)",
     "one-time initialization token for (a, b)"},
    {"a value witness", "$s4shop5MoneyVwcp", "initializeWithCopy for Money",
     "initializeWithCopy value witness for shop.Money"},
    {"a value witness table", "$s4shop5MoneyVWV", "value witness table for Money",
     "value witness table for shop.Money"},
    {"a property descriptor", "$s4shop5StoreC4nameSSvpMV", "property descriptor for Store.name",
     "property descriptor for shop.Store.name : Swift.String"},
    {"a derivative", "$s4shop3mulyS2fFTJfSpSr", "forward-mode derivative of mul(_:)",
     "forward-mode derivative of shop.mul(Swift.Float) -> Swift.Float with respect to parameters {0} and results {0}"},
    {"a derivative's witness", "$s4shop3mulyS2fFWJrSpSr",
     "reverse-mode differentiability witness for mul(_:) with respect to parameters {0} and results {0}",
     "reverse-mode differentiability witness for shop.mul(Swift.Float) -> Swift.Float with respect to parameters {0} "
     "and results {0}"},
    {"a macro", "$s4shop8validateyySicfm", "validate(_:)", "shop.validate(Swift.Int) -> ()"},
    {"the expansion of a macro", "$s4shop5StoreC4name8validatefMa_",
     "accessor macro @validate expansion #1 of name in Store",
     "accessor macro @validate expansion #1 of name in shop.Store"},
    {"the expansion of a freestanding macro", "$s4shop3payyyF3logfMf_",
     "freestanding macro expansion #1 of log in pay()", "freestanding macro expansion #1 of log in shop.pay() -> ()"},
    {"built-in types", "$s4shop3addyyBi64__BpBf32_tF", "add(_:_:_:)",
     "shop.add(Builtin.Int64, Builtin.RawPointer, Builtin.FPIEEE32) -> ()"},
    {"an integer as an argument", "$s4shop3BoxVy$15_$n3_G", "Box<16, -4>", "shop.Box<16, -4>"},
    {"a box", "$sSi_SSzt_Xx", "{ let (Int, inout String) }", "{ let (Swift.Int, inout Swift.String) }"},
    {"a sugared type", "$s4shop3useyySiXSaXSqF", "use(_:)", "shop.use([Swift.Int]?) -> ()"},
    {"a suffix", "$s4shop3payyyF.resume.0", "pay()", "shop.pay() -> () with unmangled suffix \".resume.0\""},
    {"the suffix of a copy", "$s4shop3payyyFTA.12", "partial apply for pay()",
     "partial apply forwarder for shop.pay() -> () with unmangled suffix \".12\""},
    {"Punycode", "$s4shop007grn_ioayyF", "grün()", "shop.grün() -> ()"},
    {"an embedded program", "$e4shop3payyyF", "pay()", "shop.pay() -> ()"},
    {"Swift 4.2", "$S4shop3payyyF", "pay()", "shop.pay() -> ()"},
    {"Swift 4.0 has labels in the type", "_T04shop5StoreC3addySi4item_SS2totF", "Store.add(item:to:)",
     "shop.Store.add(item: Swift.Int, to: Swift.String) -> ()"},
    {"a class at run time", "_TtC4shop5Store", "Store", "shop.Store"},
    {"a nested one", "_TtCC4shop5Store4Cart", "Store.Cart", "shop.Store.Cart"},
    {"a private one", "_TtC4shopP33_0123456789ABCDEF0123456789ABCDEF5Store", "Store",
     "shop.(Store in _0123456789ABCDEF0123456789ABCDEF)"},
    {"a generic one", "_TtGC4shop5CacheSSGSaSi__", "Cache<String, [Int]>", "shop.Cache<Swift.String, [Swift.Int]>"},
    {"protocols", "_TtP4shop7PayableS_5Named_", "Payable & Named", "shop.Payable & shop.Named"},
    {"a class of the standard library", "_TtCs12_SwiftObject", "_SwiftObject", "Swift._SwiftObject"},
    {"with the underscore of Mach-O", "__TtC4shop5Store", "Store", "shop.Store"},
    {"the largest depth and index", "$s4shop3payyyqd2147483645_2147483646_F", "pay(_:)",
     "shop.pay(XYSITYG2147483647) -> ()"},
    {"the start of a name", "$s4shop3pay", "shoppay", "shoppay"},
};

static void good_names(void **state)
{
    struct names *names = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_str symbol = framemap_str_of(rows[i].symbol);
        framemap_str text = {NULL, 0};
        if (!fm_swift_demangle(symbol, false, &names->arena, &text)) fail_msg("%s: not read", rows[i].why);
        assert_str(text, rows[i].simplified);
        if (!fm_swift_demangle(symbol, true, &names->arena, &text)) fail_msg("%s: not read in full", rows[i].why);
        assert_str(text, rows[i].full);
        assert_true(fm_may_be_swift(symbol) && fm_may_be_mangled(symbol));
    }
}

/* Checks that the styles print the simplified form, except for the one that prints all. */
static void styles(void **state)
{
    struct names *names = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_str symbol = framemap_str_of(rows[i].symbol);
        assert_str(fm_demangle(symbol, FRAMEMAP_DEMANGLE_NONE, &names->arena), rows[i].symbol);
        assert_str(fm_demangle(symbol, FRAMEMAP_DEMANGLE_DEFAULT, &names->arena), rows[i].simplified);
        assert_str(fm_demangle(symbol, FRAMEMAP_DEMANGLE_LLVM, &names->arena), rows[i].simplified);
        assert_str(fm_demangle(symbol, FRAMEMAP_DEMANGLE_GNU, &names->arena), rows[i].simplified);
        assert_str(fm_demangle(symbol, FRAMEMAP_DEMANGLE_FULL, &names->arena), rows[i].full);
    }
}

/* Names that only the compiler of Xcode writes: the words are those of Apple's crash reports. */
static void names_of_xcode(void **state)
{
    struct names *names = *state;
    assert_str(fm_demangle(FM_STR("$sSay4shop5MoneyVGMd"), FRAMEMAP_DEMANGLE_FULL, &names->arena),
               "demangling cache variable for type metadata for [shop.Money]");
    assert_str(fm_demangle(FM_STR("$sSay4shop5MoneyVGMR"), FRAMEMAP_DEMANGLE_DEFAULT, &names->arena),
               "mangled name ref for type metadata for [Money]");
    assert_str(fm_demangle(FM_STR("$sl4shop7Payable_px4CoinRts_XPXGMq"), FRAMEMAP_DEMANGLE_FULL, &names->arena),
               "uniquable existential shape for <A> any shop.Payable<Self.Coin == A>");
}

static void bad_names(void **state)
{
    struct names *names = *state;
    static const struct {
        const char *why, *symbol;
    } bad[] = {
        {"nothing after the prefix", "$s"},
        {"a name of JavaScript", "$schema"},
        {"two underscores of Mach-O", "__$s4shop3payyyF"},
        {"another prefix", "$x4shop3payyyF"},
        {"an identifier that is cut off", "$s4sho"},
        {"an identifier of no bytes", "$s4shop0payyyF"},
        {"an identifier longer than a number may be", "$s99999999999shop"},
        {"a word that was not given yet", "$s4shop0zpayyyF"},
        {"a function without a name", "$syyF"},
        {"a class without a module", "$s5StoreC"},
        {"a substitution that was not given yet", "$s4shopAZ"},
        {"a large substitution", "$s4shopA99_"},
        {"too many repetitions", "$s4shop1fyyS2049i_tF"},
        {"an unknown standard type", "$sSX4"},
        {"an index that does not end", "$s4shop3payyyFyycfU1"},
        {"an index that is too large", "$s4shop3payyyFyycfU2147483647_"},
        {"a depth that is too large", "$s4shop3payyyqd2147483646__F"},
        {"an index of a parameter that is too large", "$s4shop3payyyq2147483646_F"},
        {"a label list that is too short for the parameters", "$s4shop1f1aySi_SSSitF"},
        {"a built-in type of too many bits", "$sBi4098_"},
        {"a built-in type of no bits", "$sBi0_"},
        {"an operator with letters that are not in the table", "$s4shop2ABoiyyF"},
        {"a symbolic reference of a program in memory", "$s\x01"
                                                        "abcd"},
        {"arguments of a type that takes no arguments", "$sSi4shopy_G"},
        {"more levels of arguments than types", "$s4shop5CacheVySi_Si_Si_SiG"},
        {"an unknown thunk", "$s4shop3payyyFT!"},
        {"an outlined operation of an unknown kind", "$sSiWOa"},
        {"a specialization without a pass", "$s4shop3payyyFSi_Tg"},
        {"a value witness of an unknown kind", "$sSiwzz"},
        {"an accessor of no variable", "$s4shop3payyyFvq"},
        {"a function of the intermediate language that does not end", "$sSiIegy"},
        {"text after a class at run time", "_TtC4shop5Store!"},
        {"a class at run time that is cut off", "_TtC4shop5Sto"},
        {"a function of Swift 3", "_TF4shop3payFT_T_"},
        {"a type of Swift 3 that no class has", "_TtFT_T_"},
        {"a symbol of C", "_Table"},
        {"Punycode with a digit that is not one", "$s4shop003zz9yyF"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        const framemap_str symbol = framemap_str_of(bad[i].symbol);
        for (int style = FRAMEMAP_DEMANGLE_DEFAULT; style <= FRAMEMAP_DEMANGLE_FULL; style++) {
            const framemap_str text = fm_demangle(symbol, (framemap_demangle)style, &names->arena);
            if (text.data != symbol.data) fail_msg("%s: %.*s", bad[i].why, (int)text.size, text.data);
        }
    }
}

/* Makes a name: head, then `count` times piece, then tail. */
static framemap_str repeat(struct fm_arena *arena, const char *head, const char *piece, size_t count, const char *tail)
{
    struct fm_buf buf;
    framemap_str name;
    fm_buf_init(&buf, arena->heap);
    fm_buf_str(&buf, framemap_str_of(head));
    for (size_t i = 0; i < count; i++) fm_buf_str(&buf, framemap_str_of(piece));
    fm_buf_str(&buf, framemap_str_of(tail));
    assert_true(fm_arena_str(arena, fm_buf_view(&buf), &name));
    fm_buf_free(&buf);
    return name;
}

/* Makes dictionaries of dictionaries, each of which contains the previous one twice. */
static framemap_str bomb(struct fm_arena *arena, unsigned levels)
{
    struct fm_buf buf;
    framemap_str name;
    fm_buf_init(&buf, arena->heap);
    fm_buf_str(&buf, FM_STR("$s"));
    for (unsigned level = 0; level < levels; level++) fm_buf_str(&buf, FM_STR("SDy"));
    fm_buf_str(&buf, FM_STR("SiSiG"));
    for (unsigned level = 0; level + 1 < levels; level++) {
        fm_buf_byte(&buf, 'A');
        fm_buf_byte(&buf, (char)('A' + (char)level));
        fm_buf_byte(&buf, 'G');
    }
    assert_true(fm_arena_str(arena, fm_buf_view(&buf), &name));
    fm_buf_free(&buf);
    return name;
}

/* Checks that names are demangled if their expansion is moderate, and are otherwise left as they are. */
static void exploding_names(void **state)
{
    struct names *names = *state;
    for (unsigned levels = 2; levels <= 26; levels += 4) {
        const framemap_str symbol = bomb(&names->arena, levels);
        framemap_str text;
        const bool done = fm_swift_demangle(symbol, true, &names->arena, &text);
        if (done != (levels <= 14)) fail_msg("%u levels", levels);
        assert_true(!done || text.size < FM_LIMIT_NAME);
    }
}

static void hostile_names(void **state)
{
    struct names *names = *state;
    static const struct {
        const char *head, *piece, *tail;
    } shapes[] = {
        {"$sSi", "Sg", ""},                       /* optionals of optionals */
        {"$sSi", "m", ""},                        /* metatypes of metatypes */
        {"$s1a", "1bV", ""},                      /* nested types */
        {"$s1a1bV", "1cE1dV", ""},                /* in extensions */
        {"$sSi", "Iegy_", ""},                    /* functions of functions */
        {"$s1a1byyF", "TA", ""},                  /* partial applications */
        {"$sxSHHD1_", "SHHI1_", ""},              /* conformances of conformances */
        {"$s", "S2048i", ""},                     /* stack entries */
        {"$s", "S2048i_t", ""},                   /* stack entries that tuples take */
        {"$s1a", "A2048A1bV", ""},                /* repeated substitutions */
        {"$sr", "2147483646_", "lyyc"},           /* generic parameters */
        {"$sRvz", "Rvz", "r126_126_126_126_l"},   /* markers of parameters */
        {"$s4000", "Ab", "0zzz"},                 /* long identifiers */
        {"$s1a1bV", "y_", "yG"},                  /* levels of generic arguments */
        {"$s1a1bV1cyyF", "Z", "1dVy_yG"},         /* contexts without arguments */
        {"$s1a1byyF", "Si_Tg5", ""},              /* specializations */
        {"$s1a1byyFTf4", "pf", "_n"},             /* arguments without a function */
        {"$s1a1byyF1c", "Aba", "1dyyFTf4pfpf_n"}, /* names that are no names */
        {"_Tt", "GSa", ""},                       /* run-time types in run-time types */
        {"_Tt", "C", "1a1b1c"},
        {"$s1a", "00A", ""},
        {"$s", "001000_", ""},
        {"$sTeo", "n", "_"},
        {"$sTJf", "S", "pSr"},
    };
    static const size_t counts[] = {10, 300, 2000, 60000};
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (size_t c = 0; c < COUNT_OF(counts); c++) {
            const size_t each = strlen(shapes[i].piece), most = (FM_LIMIT_DEMANGLE - 64) / each;
            const framemap_str symbol = repeat(&names->arena, shapes[i].head, shapes[i].piece,
                                               counts[c] < most ? counts[c] : most, shapes[i].tail);
            const framemap_str text = fm_demangle(symbol, FRAMEMAP_DEMANGLE_FULL, &names->arena);
            assert_true(text.size > 0 && text.size <= FM_LIMIT_NAME);
            assert_true(fm_demangle(symbol, FRAMEMAP_DEMANGLE_DEFAULT, &names->arena).size > 0);
            fm_arena_reset(&names->arena);
        }
}

/* Checks that a part that prints nothing, of thousands of pieces, counts as often as the name refers to it. */
static void silent_parts(void **state)
{
    struct names *names = *state;
    static const struct {
        const char *why, *head, *piece, *tail;
        bool is_full;
    } shapes[] = {
        {"arguments that were not specialized", "$s1aTf4", "n", "_nLaVA2048B", true},
        {"results without a derivative", "$s1a1byyFTJf", "U", "pSr1cVA2048D", true},
        {"markers of parameters", "$sSaySi", "Rvz", "rzluGA2048A", false},
        {"generic types of generic types", "$s1aSi", "lu", "ip1cVA2048C", false},
    };
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (size_t count = 1; count <= 20000; count *= 20000) {
            const framemap_str symbol = repeat(&names->arena, shapes[i].head, shapes[i].piece, count, shapes[i].tail);
            framemap_str text;
            if (fm_swift_demangle(symbol, shapes[i].is_full, &names->arena, &text) != (count == 1))
                fail_msg("%s: %zu", shapes[i].why, count);
        }
}

/* Makes a specialization whose constant function is a specialization again, and so on. Each is partially applied
 * `applied` times. */
static framemap_str nested(struct fm_arena *arena, unsigned levels, unsigned applied)
{
    framemap_str name = FM_STR("$s1a1byyF");
    for (unsigned i = 0; i < levels; i++) {
        char size[24];
        snprintf(size, sizeof size, "%zu", name.size);
        struct fm_buf buf;
        fm_buf_init(&buf, arena->heap);
        fm_buf_str(&buf, FM_STR("$s1a1byyF"));
        fm_buf_str(&buf, framemap_str_of(size));
        fm_buf_str(&buf, name);
        fm_buf_str(&buf, FM_STR("Tf4pf_n"));
        for (unsigned k = 0; k < applied; k++) fm_buf_str(&buf, FM_STR("TA"));
        assert_true(fm_arena_str(arena, fm_buf_view(&buf), &name));
        fm_buf_free(&buf);
    }
    return name;
}

static void names_in_names(void **state)
{
    struct names *names = *state;
    framemap_str text;
    assert_true(fm_swift_demangle(nested(&names->arena, 2, 0), true, &names->arena, &text));
    assert_str(text, "function signature specialization <Arg[0] = [Constant Propagated Function : function signature "
                     "specialization <Arg[0] = [Constant Propagated Function : a.b() -> ()]> of a.b() -> ()]> of a.b() "
                     "-> ()");
    /* the innermost names stay as they are spelled */
    assert_true(fm_swift_demangle(nested(&names->arena, 12, 0), true, &names->arena, &text));
    assert_int_not_equal(fm_str_find(text, FM_STR("$s1a1byyF")), FM_NOT_FOUND);
    /* names within names take stack, too: the nesting of all counts together */
    assert_true(fm_swift_demangle(nested(&names->arena, 3, 60), true, &names->arena, &text));
    assert_false(fm_swift_demangle(nested(&names->arena, 4, 60), true, &names->arena, &text));
}

static void every_prefix(void **state)
{
    struct names *names = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (size_t size = 0; size < strlen(rows[i].symbol); size++) {
            char *part = malloc(size + 1); /* a separate allocation, so that sanitizers see reads past its end */
            framemap_str text;
            assert_non_null(part);
            memcpy(part + 1, rows[i].symbol, size);
            if (fm_swift_demangle(fm_str(part + 1, size), true, &names->arena, &text)) assert_true(text.size > 0);
            if (fm_swift_demangle(fm_str(part + 1, size), false, &names->arena, &text)) assert_true(text.size > 0);
            fm_may_be_mangled(fm_str(part + 1, size));
            free(part);
        }
}

/* Checks that without memory, a name is left mangled; this is not an error. */
static bool demangle_big(const framemap_allocator *allocator, void *context)
{
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_str text;
    struct names *names = context;
    fm_heap_init(&heap, allocator, 0);
    fm_arena_init(&arena, &heap);
    const framemap_str symbol = repeat(&names->arena, "$s4shop1fyySaySiG_", "SaySiG", 600, "tF");
    const bool done = fm_swift_demangle(symbol, true, &arena, &text);
    fm_arena_free(&arena);
    return done;
}

static void out_of_memory(void **state) { assert_true(sweep_allocations(demangle_big, *state) >= 3); }

static void punycode(void **state)
{
    (void)state;
    static const struct {
        const char *why, *text, *utf8;
    } codes[] = {
        {"a letter after plain ones", "grn_ioa", "gr\xc3\xbcn"},
        {"capitals are digits", "ihqwcrbEcvIaIdqgAFGpqjye",
         "\xe4\xbb\x96\xe4\xbb\xac\xe4\xb8\xba\xe4\xbb\x80\xe4\xb9\x88\xe4\xb8\x8d\xe8\xaf\xb4\xe4\xb8\xad\xe6\x96"
         "\x87"},
        {"digits are not", "a0", ""},
    };
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        char out[FM_PUNYCODE_ROOM];
        const size_t size = fm_punycode(framemap_str_of(codes[i].text), FM_PUNYCODE_SWIFT, out);
        if (!fm_str_equal(fm_str(out, size), framemap_str_of(codes[i].utf8)))
            fail_msg("%s: %.*s", codes[i].why, (int)size, out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(good_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(styles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_of_xcode, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(exploding_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(silent_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_in_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_prefix, set_up, tear_down),
        cmocka_unit_test_setup_teardown(out_of_memory, set_up, tear_down),
        cmocka_unit_test(punycode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
