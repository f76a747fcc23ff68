//! Packs art, style and interface files into the program, so that it needs no installed path.

fn main() {
    glib_build_tools::compile_resources(
        &["../data", "src"],
        "../data/shamans.gresource.xml",
        "shamans.gresource",
    );
}
