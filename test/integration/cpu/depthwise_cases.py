# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints depthwise convolutions: windows, strides, dilations, padding, widths below and above a tile,
channels below, at and above whole vectors, element types, epilogues, dynamic sizes.

depthwise_cases.py [name...]: all of them, or these.
"""

import sys

IDENTITY = "affine_map<(n, h, w, c) -> (n, h, w, c)>"
EPILOGUES = {
    "none": "",
    "relu": "%1 = arith.maximumf %0, %zero : f32",
    "relu6": "%l = arith.maximumf %0, %zero : f32\n    %1 = arith.minimumf %l, %six : f32",
    "hardswish": """%a = arith.addf %0, %three : f32
    %l = arith.maximumf %a, %zero : f32
    %m = arith.minimumf %l, %six : f32
    %d = arith.divf %m, %six : f32
    %1 = arith.mulf %0, %d : f32""",
    "silu": """%g = arith.negf %0 : f32
    %h = math.exp %g : f32
    %q = arith.addf %h, %one : f32
    %1 = arith.divf %0, %q : f32""",
}


def kernel(name, shape, window, strides=(1, 1), dilations=(1, 1), low=(0, 0), high=(0, 0), e="f32",
           epilogue="none", dynamic=(), residual=False):
    """`dynamic`: names of the first dimensions that are dynamic."""
    n, h, w, c = shape
    sizes = [h, w]
    padded = [s + a + b for s, a, b in zip(sizes, low, high)]
    out = [(p - d * (k - 1) - 1) // s + 1 for p, d, k, s in zip(padded, dilations, window, strides)]

    def tensor(dims, element=e):
        dims = ["?" if d < len(dynamic) else x for d, x in enumerate(dims)]
        return f"tensor<{'x'.join(map(str, dims))}x{element}>"

    def named(dims):
        if not dynamic:
            return ""
        names = [f"@{x}" for x in dynamic] + list(map(str, dims[len(dynamic):]))
        return f" {{ourc.shape = [{', '.join(names)}]}}"

    x, p, o = (tensor([n, *s, c]) for s in (sizes, padded, out))
    # Sums of f16 and bf16 are f32.
    sums = tensor([n, *out, c], "f64" if e == "f64" else "f32")
    acc = "f64" if e == "f64" else "f32"
    wide = e in ("f32", "f64")
    weight = f"tensor<{c}x{window[0]}x{window[1]}x{e}>"

    def widen(value):
        return "" if wide else f"    %{value}x = arith.extf %{value} : {e} to f32\n"

    suffix = "" if wide else "x"
    extra = f", %res: {o}{named([n, *out, c])}" if residual else ""
    text = f"""kernel.func @{name}(%x: {x}{named([n, *sizes, c])}, %f: {weight}, %bias: tensor<{c}x{e}>{extra},
    %o: {o}{named([n, *out, c])}) -> {o} {{
  %zero = arith.constant 0.0 : {acc}
"""
    # The sizes of the sums are those of the result, where they are dynamic.
    dims = ""
    for d in range(len(dynamic)):
        text += f"  %i{d} = arith.constant {d} : index\n  %d{d} = tensor.dim %o, %i{d} : {o}\n"
    dims = ", ".join(f"%d{d}" for d in range(len(dynamic)))
    source = "%x"
    if any(low) or any(high):
        source = "%p"
        text += f"""  %border = arith.constant 0.0 : {e}
  %p = tensor.pad %x low[0, {low[0]}, {low[1]}, 0] high[0, {high[0]}, {high[1]}, 0] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %border : {e}
  }} : {x} to {p}
"""
    else:
        p = x
    step = [f"{a} * {s} + {k} * {d}" for a, k, s, d in zip("hw", "ij", strides, dilations)]
    ends = e == acc and epilogue == "none" and not residual
    text += f"""  %empty = tensor.empty({dims}) : {sums}
  %init = linalg.fill ins(%zero : {acc}) outs({'%o' if ends else '%empty'} : {sums}) -> {sums}
  %r = linalg.generic {{
    indexing_maps = [affine_map<(n, h, w, c, i, j) -> (n, {step[0]}, {step[1]}, c)>,
                     affine_map<(n, h, w, c, i, j) -> (c, i, j)>,
                     affine_map<(n, h, w, c, i, j) -> (n, h, w, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}}
    ins({source}, %f : {p}, {weight}) outs(%init : {sums}) {{
  ^bb0(%u: {e}, %v: {e}, %sum: {acc}):
{widen("u")}{widen("v")}    %product = arith.mulf %u{suffix}, %v{suffix} fastmath<contract> : {acc}
    %next = arith.addf %sum, %product fastmath<contract> : {acc}
    linalg.yield %next : {acc}
  }} -> {sums}
"""
    if ends:
        return text + f"  kernel.return %r : {o}\n}}\n"
    body = EPILOGUES[epilogue]
    result = "%1" if body else "%0"
    ins, types, maps, args = "%r, %bias", f"{sums}, tensor<{c}x{e}>", "affine_map<(n, h, w, c) -> (c)>", ""
    add = ""
    if residual:
        ins, types, maps = ins + ", %res", types + f", {o}", maps + f", {IDENTITY}"
        args = f", %y: {e}"
        add = widen("y") + f"    %2 = arith.addf {result}, %y{suffix} : f32\n"
        result = "%2"
    narrow = "" if wide else f"    %narrow = arith.truncf {result} : f32 to {e}\n"
    return text + f"""  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %s = linalg.generic {{
    indexing_maps = [{IDENTITY}, {maps}, {IDENTITY}],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
    ins({ins} : {types}) outs(%o : {o}) {{
  ^bb0(%t: f32, %b: {e}{args}, %old: {e}):
{widen("b")}    %0 = arith.addf %t, %b{suffix} fastmath<contract> : f32
    {body}
{add}{narrow}    linalg.yield {result if wide else "%narrow"} : {e}
  }} -> {o}
  kernel.return %s : {o}
}}
"""


def add(name, *args, **kwargs):
    if len(sys.argv) == 1 or name in sys.argv[1:]:
        print(kernel(name, *args, **kwargs))


one, two, three = (1, 1), (2, 2), (3, 3)
add("same3", (1, 6, 6, 32), (3, 3), low=one, high=one)
add("relu_odd", (2, 5, 9, 21), (3, 3), low=one, high=one, epilogue="relu")
add("few_channels", (1, 5, 17, 3), (3, 3), low=one, high=one, epilogue="relu6")
add("wide", (1, 3, 45, 17), (3, 3), low=one, high=one, epilogue="hardswish")
add("stride2", (1, 9, 30, 40), (3, 3), two, low=one, high=one, epilogue="silu")
add("stride2_uneven", (2, 8, 14, 24), (3, 3), two, low=(0, 0), high=one, epilogue="relu")
add("five", (1, 7, 7, 70), (5, 5), low=two, high=two, epilogue="hardswish", residual=True)
add("five_stride2", (1, 14, 14, 33), (5, 5), two, low=two, high=two, epilogue="relu")
add("seven", (1, 9, 15, 18), (7, 7), low=three, high=three, epilogue="none", residual=True)
add("dilated", (1, 9, 11, 20), (3, 3), dilations=(2, 3), low=two, high=three, epilogue="relu")
add("dilated_stride", (1, 12, 13, 19), (3, 2), (3, 2), (1, 2), low=one, high=(2, 0))
add("outside", (1, 2, 2, 16), (3, 3), low=(4, 4), high=(5, 5), epilogue="relu")
add("valid", (1, 6, 20, 48), (3, 3))
add("column", (1, 1, 33, 37), (1, 5), low=(0, 2), high=(0, 2), epilogue="relu")
add("row", (2, 9, 1, 37), (5, 1), low=(2, 0), high=(2, 0), epilogue="relu")
add("one_pixel", (1, 3, 3, 50), (3, 3), epilogue="relu")
add("one_tap", (1, 3, 5, 50), (1, 1), epilogue="relu")
add("many_channels", (1, 4, 4, 530), (3, 3), low=one, high=one, epilogue="relu")
add("halves", (1, 7, 9, 35), (3, 3), low=one, high=one, e="f16", epilogue="relu")
add("bfloats", (1, 7, 9, 35), (3, 3), low=one, high=one, e="bf16", epilogue="hardswish", residual=True)
add("bfloats_alone", (1, 7, 9, 16), (5, 5), two, low=two, high=two, e="bf16")
add("doubles", (1, 5, 6, 11), (3, 3), low=one, high=one, e="f64")
add("batches", (1, 7, 9, 20), (3, 3), low=one, high=one, epilogue="relu", dynamic=("B",))
add("heights", (1, 7, 9, 20), (3, 3), low=one, high=one, epilogue="relu", dynamic=("B", "H"))
add("images", (1, 7, 9, 20), (3, 3), low=one, high=one, epilogue="relu", dynamic=("B", "H", "W"),
    residual=True)
add("images5", (1, 7, 9, 16), (5, 5), low=two, high=two, dynamic=("B", "H", "W"))
