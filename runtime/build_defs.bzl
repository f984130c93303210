"""Libraries of the runtime: what they compile with, so that an artifact needs libc, libm and OpenMP only."""

# No run-time support of the C++ library may be needed: no guards of local
# statics, no exceptions (set for the whole build). Only the C ABI is exported.
RUNTIME_COPTS = [
    "-O2",
    "-fvisibility=hidden",
    "-fno-threadsafe-statics",
    "-ffunction-sections",
    "-fdata-sections",
]

def runtime_cc_library(name, copts = [], **kwargs):
    """A cc_library whose objects may end in an artifact.

    Args:
      name: the library's name.
      copts: further compiler flags.
      **kwargs: passed to cc_library.
    """
    native.cc_library(
        name = name,
        copts = RUNTIME_COPTS + copts,
        linkstatic = True,
        **kwargs
    )

def _static_archive_impl(ctx):
    archives = []
    for dep in ctx.attr.deps:
        for linker_input in dep[CcInfo].linking_context.linker_inputs.to_list():
            for library in linker_input.libraries:
                archive = library.pic_static_library or library.static_library
                if archive and archive not in archives:
                    archives.append(archive)
    whole = ctx.actions.declare_file(ctx.label.name + ".o")
    ctx.actions.run_shell(
        inputs = archives,
        outputs = [whole, ctx.outputs.out],
        arguments = [whole.path, ctx.outputs.out.path] + [archive.path for archive in archives],
        command = """
set -eu
whole="$1" out="$2"; shift 2
/usr/lib/llvm-22/bin/ld.lld -r -o "$whole" --whole-archive "$@"
/usr/lib/llvm-22/bin/llvm-objcopy --wildcard --localize-symbol='_Z*' "$whole"
rm -f "$out"
/usr/lib/llvm-22/bin/llvm-ar rcsD "$out" "$whole"
""",
        mnemonic = "StaticArchive",
        progress_message = "Merging %s" % ctx.outputs.out.short_path,
    )
    return [DefaultInfo(files = depset([ctx.outputs.out]))]

# One archive, with one object in it, of cc_libraries and all that they depend
# on: what a link outside of Bazel takes. Its C++ names are local.
static_archive = rule(
    implementation = _static_archive_impl,
    attrs = {
        "deps": attr.label_list(
            doc = "The libraries.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "out": attr.output(
            doc = "The archive's file name.",
            mandatory = True,
        ),
    },
)
