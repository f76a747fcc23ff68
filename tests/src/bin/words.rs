//! Brings `data/po/` up to date with the source and tells what is to be translated. `tests/words` starts it.

use std::{fs, process::ExitCode};

use shamans_net::words::Catalogue;
use shamans_tests::{
    house,
    words::{messages, po},
};

fn update() -> Result<(), String> {
    let found = messages()?;
    let folder = house::root().join("data/po");
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    write("shamans.pot", po::template(&found))?;
    println!("shamans.pot: {} messages", found.len());
    for path in house::files("data/po") {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !name.ends_with(".po") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|e| format!("{name}: {e}"))?;
        let old = Catalogue::read(&text).map_err(|e| format!("{name}: {e}"))?;
        let obsolete = po::obsolete(&text).map_err(|e| format!("{name}: {e}"))?;
        let text = po::updated(&old, &obsolete, &found);
        let new = Catalogue::read(&text).map_err(|e| format!("{name}: {e}"))?;
        let open = new
            .entries()
            .iter()
            .filter(|entry| entry.fuzzy || entry.forms.iter().any(String::is_empty))
            .count();
        println!("{name}: {open} to translate");
        write(&name, text)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match update() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
