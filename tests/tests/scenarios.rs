//! Scenarios: all that are shipped hold and show every rule; anything that is none is refused with a sentence and without a panic.

use std::{collections::BTreeSet, fs, path::PathBuf};

use proptest::prelude::*;
use shamans_core::shamans::{Action, Event};
use shamans_net::scenario::{self, MAX_SCENARIO, Scenario};
use shamans_tests::house;

fn files() -> Vec<PathBuf> {
    let all = house::files("tests/scenarios").into_iter();
    all.filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .collect()
}

fn shipped() -> Vec<(String, String)> {
    let read = |path: PathBuf| (house::short(&path), fs::read_to_string(&path).unwrap());
    files().into_iter().map(read).collect()
}

fn worked_trick() -> String {
    fs::read_to_string(house::root().join("tests/scenarios/worked-trick.txt")).unwrap()
}

/// The one complaint about a text that is no scenario.
fn flaw(text: &str) -> String {
    match Scenario::parse(text) {
        Ok(_) => panic!("this is a scenario: {text}"),
        Err(flaw) => flaw.to_string(),
    }
}

/// The complaints about one whose lines do not all hold.
fn findings(text: &str) -> Vec<String> {
    let report = Scenario::parse(text).unwrap().run();
    report.findings.iter().map(ToString::to_string).collect()
}

const TABLE: &str = "Players: Jan, Petr, Radka
Jan holds dream 1, sun 1
Petr holds dream 2, sun 2
Radka holds dream 3, sun 3
";

#[test]
fn every_shipped_scenario_holds() {
    let all = shipped();
    assert!(all.len() >= 40, "only {} scenarios", all.len());
    let mut complaints = Vec::new();
    for (name, text) in &all {
        match Scenario::parse(text) {
            Err(flaw) => complaints.push(format!("{name}:{flaw}")),
            Ok(scenario) => {
                let report = scenario.run();
                complaints.extend(report.findings.iter().map(|f| format!("{name}:{f}")));
                assert!(report.checks > 0, "{name} states nothing");
                assert!(!scenario.rules().is_empty(), "{name} names no rule");
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// The ids that stand in bold in the rules.
fn rule_ids() -> BTreeSet<String> {
    let rules = fs::read_to_string(house::root().join("core/docs/rules.md")).unwrap();
    let bold = rules.split("**").skip(1).step_by(2);
    bold.filter(|id| {
        id.len() == 5 && id.as_bytes()[3] == b'-' && id[..3].bytes().all(|b| b.is_ascii_uppercase())
    })
    .map(str::to_string)
    .collect()
}

#[test]
fn scenarios_show_every_rule_but_talk() {
    let mut missing = rule_ids();
    assert!(missing.len() > 45, "{missing:?}");
    for (name, text) in shipped() {
        for id in Scenario::parse(&text).unwrap().rules() {
            assert!(
                rule_ids().contains(id),
                "{name} names {id}, which is no rule"
            );
            missing.remove(id);
        }
    }
    // TLK-1 is about what people say: no scenario can play it. See the test below.
    assert_eq!(missing, BTreeSet::from(["TLK-1".to_string()]));
}

/// TLK-1: nothing that the rules carry from seat to seat has room for a sentence of one's own: no action and no event holds text.
/// What players may say at a table of peers are quick phrases, and those name no colour, world or value.
#[test]
fn tlk_1_moves_and_events_carry_no_free_text() {
    for file in ["action.rs", "event.rs"] {
        let path = house::root().join("core/src/shamans").join(file);
        let text = fs::read_to_string(&path).unwrap();
        for word in ["String", "str>", "&str", "Vec<u8>", "Box<"] {
            assert!(!text.contains(word), "{file} has a {word}");
        }
    }
    // An action is a handful of numbers, whatever a player would like to say with it.
    assert!(size_of::<Action>() <= 16);
    assert!(size_of::<Event>() <= 64);
}

#[test]
fn the_description_lists_the_whole_grammar() {
    let readme = fs::read_to_string(house::root().join("tests/scenarios/README.md")).unwrap();
    let lines: BTreeSet<&str> = readme.lines().map(str::trim).collect();
    let missing: Vec<&str> = scenario::patterns()
        .chain(scenario::reasons())
        .filter(|pattern| !lines.contains(pattern) && !readme.contains(&format!("`{pattern}`")))
        .collect();
    assert!(missing.is_empty(), "not described:\n{}", missing.join("\n"));
}

#[test]
fn the_examples_of_the_description_hold() {
    let readme = fs::read_to_string(house::root().join("tests/scenarios/README.md")).unwrap();
    let examples = readme.split("```scenario\n").skip(1);
    let examples: Vec<&str> = examples
        .filter_map(|text| text.split("```").next())
        .collect();
    assert!(!examples.is_empty());
    for example in examples {
        assert_eq!(findings(example), Vec::<String>::new(), "{example}");
    }
}

#[test]
fn what_does_not_hold_is_told_with_line_expected_and_found() {
    let text = format!(
        "{TABLE}The pawn is on 3\n---\nJan plays dream 1\nThe pawn is on 5\nPetr is the Guide\n"
    );
    assert_eq!(
        findings(&text),
        [
            "8: expected the pawn on space 5, found the pawn on space 3",
            "9: expected Petr the Guide, found Petr not the Guide",
        ]
    );
    let text = format!("{TABLE}---\nPetr plays dream 2\nThe pawn is on 99\n");
    assert_eq!(
        findings(&text),
        [
            "6: expected a move that is allowed, found it refused (not their turn), with Jan asked to play a card"
        ]
    );
    let text = format!(
        "{TABLE}---\nRefused: Jan plays dream 1 (not in hand)\nRefused: Petr plays dream 2 (not in hand)\n"
    );
    assert_eq!(
        findings(&text),
        [
            "6: expected it refused (not in hand), found it allowed",
            "7: expected it refused (not in hand), found it refused (not their turn)",
        ]
    );
    let text = format!("{TABLE}---\nJan plays dream 1\nPetr led dream 1\nNot: Jan led dream 1\n");
    assert_eq!(
        findings(&text),
        [
            "7: expected that Petr led dream 1, found Jan led dream 1",
            "8: expected this not to be so, found Jan led dream 1",
        ]
    );
}

#[test]
fn bad_positions_and_lines_get_a_sentence() {
    let cases = [
        ("", "1: expected a line such as Players"),
        ("# only a comment\n", "1: expected a line such as Players"),
        (
            "The pawn is on 3\n",
            "1: expected a line such as Players: Jan, Petr, Radka before all others",
        ),
        (
            "Players: Jan, Petr\n",
            "1: expected 3 to 5 players, found 2",
        ),
        (
            "Players: A1, B1, C1, D1, E1, F1\n",
            "1: expected 3 to 5 players, found 6",
        ),
        ("Players: Jan, Jan, Petr\n", "1: expected names that differ"),
        (
            "Players: Jan, Petr, Dream\n",
            "no words of the format, found \"Dream\"",
        ),
        (TABLE, "4: expected a line --- after the position"),
        (
            &format!("{TABLE}---\n"),
            "5: expected moves and statements after the line ---",
        ),
        (
            &format!("{TABLE}---\n---\n"),
            "6: expected one line --- only",
        ),
        (
            &format!("{TABLE}Ruda holds sun 4\n"),
            "5: expected a line of the position, or --- to end it, found \"Ruda\"",
        ),
        (
            &format!("{TABLE}Jna holds sun 4\n"),
            "(did you mean Jan?), found \"Jna\"",
        ),
        (
            &format!("{TABLE}Jan holds drem 4\n"),
            "(did you mean dream?), found \"drem\"",
        ),
        (
            &format!("{TABLE}Jan holds dream 9\n"),
            "dream, river, forest, sun, wind with values 1 to 6, found dream 9",
        ),
        (&format!("{TABLE}Jan holds fire 1\n"), "found fire 1"),
        (
            &format!("{TABLE}Jan holds sun 2\n"),
            "5: expected every card in one place, found sun 2 here and in line 3",
        ),
        (
            &format!("{TABLE}Jan holds sun 4-6, wind 1-6\n"),
            "at most 9 cards in a hand",
        ),
        (
            &format!("{TABLE}Jan has a spoon face up\n"),
            "found \"spoon\"",
        ),
        (
            &format!("{TABLE}Jan has a mask face down\n"),
            "found a mask face down",
        ),
        (
            &format!("{TABLE}Jan has 3 portals face up\n"),
            "expected at most 2 of the tile portal",
        ),
        (
            &format!("{TABLE}The pawn is on 24\n"),
            "5: expected a space from 0 to 23, found 24",
        ),
        (
            &format!("{TABLE}The pawn is on 99999999\n"),
            "5: expected a number up to 65535 after \"pawn is on\", found \"99999999\"",
        ),
        (
            &format!("{TABLE}Pile: Eclipse left, dagger\n"),
            "the Eclipse never lies there",
        ),
        (
            &format!("{TABLE}Jan is a Shadow\nPetr is a Shadow\n---\n"),
            "expected 2 Shamans and 1 Shadows",
        ),
        (
            &format!("{TABLE}Jan is a Shadow, eliminated\n---\n"),
            "expected a position that fits together",
        ),
        (
            &format!("{TABLE}Jan holds 3 cards\n---\n"),
            "found a line that only states",
        ),
        (
            &format!("{TABLE}Everything is dealt\n---\n"),
            "only a seed and phantoms",
        ),
        (
            &format!("{TABLE}---\nRuda plays dream 1\n"),
            "6: expected a move, a statement, or Refused:, or Not:, found \"Ruda\"",
        ),
        (
            &format!("{TABLE}---\nJan plais dream 1\n"),
            "(did you mean plays?), found \"plais\"",
        ),
        (
            &format!("{TABLE}---\nJan plays dream\n"),
            "found the end of the line",
        ),
        (
            &format!("{TABLE}---\nJan plays dream 1 twice\n"),
            "6: expected the end of the line after \"Jan plays dream 1\", found \"twice\"",
        ),
        (
            &format!("{TABLE}---\nRefused: Jan plays dream 1\n"),
            "expected the reason in brackets",
        ),
        (
            &format!("{TABLE}---\nRefused: Jan plays dream 1 (bad luck)\n"),
            "expected one of the reasons",
        ),
        (
            &format!("{TABLE}---\nRefused: Jan (not in hand)\n"),
            "6: expected",
        ),
        (&format!("{TABLE}---\nAt fire lies 1\n"), "found fire 1"),
        (
            &format!("{TABLE}---\nNot: Jan plays dream 1\n"),
            "6: expected",
        ),
    ];
    for (text, sentence) in cases {
        let found = flaw(text);
        assert!(
            found.contains(sentence),
            "{text:?}\n  says: {found}\n  not:  {sentence}"
        );
    }
}

#[test]
fn huge_and_broken_bytes_get_a_sentence() {
    let huge = vec![b'#'; MAX_SCENARIO + 1];
    let flaw = Scenario::read(&huge).unwrap_err().to_string();
    assert_eq!(flaw, "1: expected at most 65536 bytes, found more");
    let flaw = Scenario::read(b"# one\n# two \xff\n")
        .unwrap_err()
        .to_string();
    assert_eq!(
        flaw,
        "2: expected text in UTF-8, found byte 13 of the file, which is no UTF-8"
    );
    let long = format!("{TABLE}---\n{}", "The pawn is at the start\n".repeat(2000));
    assert_eq!(findings(&long), Vec::<String>::new());
    assert!(Scenario::parse(&format!("Players: {}", "x".repeat(60_000))).is_err());
}

#[test]
fn a_scenario_cut_off_anywhere_is_no_panic() {
    let whole = worked_trick();
    for end in 0..whole.len() {
        if let Ok(scenario) = Scenario::read(&whole.as_bytes()[..end]) {
            scenario.run();
        }
    }
}

fn words() -> impl Strategy<Value = String> {
    let vocabulary: Vec<String> = scenario::patterns()
        .flat_map(str::split_whitespace)
        .flat_map(|word| word.split('|'))
        .map(|word| match word {
            "NAME" => "Jan",
            "NAMES" => "Petr, Radka",
            "NUMBER" => "2",
            "CARD" => "dream 1",
            "CARDS" => "sun 1-3",
            "WORLD" => "river",
            "TILE" => "portal",
            "TILES" => "dagger",
            "WAY" => "back",
            "SIDE" => "left",
            "VALUES" => "1 2",
            "PILE" => "dagger, Eclipse left, portal",
            "TRAITS" => "phantom",
            other => other,
        })
        .map(str::to_string)
        .chain([
            "\n".to_string(),
            "---\n".to_string(),
            "Refused:".to_string(),
            "(not in hand)\n".to_string(),
        ])
        .collect();
    proptest::collection::vec(proptest::sample::select(vocabulary), 0..60)
        .prop_map(|words| words.join(" "))
}

/// A line that fits the grammar, with names and cards at random: moves in any order.
fn any_line() -> impl Strategy<Value = String> {
    let patterns: Vec<&str> = scenario::patterns().collect();
    let fill = |(pattern, dice): (&str, Vec<u8>)| {
        let mut dice = dice.into_iter().cycle();
        let mut roll = move |list: &[&str]| {
            let at = usize::from(dice.next().unwrap_or(0)) % list.len();
            list[at].to_string()
        };
        let names = ["Jan", "Petr", "Radka"];
        let cards = [
            "dream 1", "sun 1", "dream 2", "sun 2", "dream 3", "sun 3", "wind 6", "fire 8",
        ];
        let pieces = pattern.split_whitespace().map(|piece| match piece {
            "NAME" => roll(&names),
            "NAMES" => roll(&["Jan", "Petr, Radka", "Jan, Petr, Radka"]),
            "NUMBER" => roll(&["0", "1", "2", "3", "22"]),
            "CARD" => roll(&cards),
            "CARDS" => roll(&["dream 1 2", "sun 1-6"]),
            "WORLD" | "WORLDS" => roll(&["dream", "river", "sun", "fire"]),
            "VALUES" => roll(&["1", "2 3", "1-6"]),
            "TILE" | "TILES" => roll(&["dagger", "portal", "moonstone", "mask"]),
            "WAY" => roll(&["back", "forward"]),
            "SIDE" => roll(&["left", "right"]),
            "ROLE" => roll(&["Shaman", "Shadow"]),
            "RITUAL" => roll(&["Illumination", "Permutation"]),
            "TRAITS" => roll(&["Shaman", "phantom", "Guide", "eliminated", "shown"]),
            "PILE" => roll(&["dagger", "portal, Eclipse right, mask"]),
            other => other
                .trim_matches(['[', ']'])
                .split('|')
                .next()
                .unwrap_or("")
                .to_string(),
        });
        pieces.collect::<Vec<_>>().join(" ")
    };
    (
        proptest::sample::select(patterns),
        proptest::collection::vec(any::<u8>(), 4),
    )
        .prop_map(fill)
}

/// A move that is often allowed.
fn any_move() -> impl Strategy<Value = String> {
    let names = proptest::sample::select(vec!["Jan", "Petr", "Radka"]);
    let deeds = vec![
        "plays any card",
        "plays any card",
        "plays any card",
        "passes any card",
        "takes from the pile",
        "takes the dagger",
        "takes the portal",
        "uses the portal back",
        "uses the portal forward",
        "declines",
        "goes away",
        "comes back",
        "strikes Petr with the dagger",
        "strikes Radka with the dagger",
        "swaps with Jan",
        "moves the pawn back",
        "takes an artefact instead",
        "names Petr",
        "performs sun",
    ];
    let act =
        (names, proptest::sample::select(deeds)).prop_map(|(name, deed)| format!("{name} {deed}"));
    prop_oneof![
        9 => act,
        1 => Just("The round is closed".to_string()),
        1 => Just("The round is voided".to_string()),
        1 => Just("Everyone declines".to_string()),
    ]
}

fn run(text: &str) {
    if let Ok(scenario) = Scenario::parse(text) {
        scenario.run();
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_no_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(scenario) = Scenario::read(&bytes) {
            scenario.run();
        }
    }

    #[test]
    fn arbitrary_text_is_no_panic(text in "\\PC{0,200}", position in "\\PC{0,60}") {
        run(&text);
        run(&format!("{TABLE}{position}\n---\n{text}"));
    }

    #[test]
    fn arbitrary_words_of_the_grammar_are_no_panic(words in words()) {
        run(&format!("Players: Jan, Petr, Radka\n{words}"));
        run(&format!("{TABLE}---\n{words}"));
    }

    #[test]
    fn arbitrary_lines_are_no_panic(lines in proptest::collection::vec(any_line(), 1..20), start in proptest::collection::vec(any_line(), 0..4)) {
        run(&format!("{TABLE}---\n{}", lines.join("\n")));
        run(&format!("{TABLE}{}\n---\n{}", start.join("\n"), lines.join("\n")));
    }

    #[test]
    fn arbitrary_changes_to_a_scenario_are_no_panic(
        which in any::<prop::sample::Index>(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..6),
    ) {
        let all = shipped();
        let (_, text) = which.get(&all);
        let mut bytes = text.clone().into_bytes();
        for (at, byte, kind) in edits {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => { bytes.remove(at); }
                2 => bytes.insert(at, byte),
                _ => {
                    // A line moved elsewhere.
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    let mut lines: Vec<&str> = text.lines().collect();
                    let from = at % lines.len();
                    let line = lines.remove(from);
                    lines.insert(usize::from(byte) % (lines.len() + 1), line);
                    bytes = lines.join("\n").into_bytes();
                }
            }
            if bytes.is_empty() {
                bytes.push(b'#');
            }
        }
        if let Ok(scenario) = Scenario::read(&bytes) {
            scenario.run();
        }
    }
}

proptest! {
    // Each move is a run of its own, so a few games have to do.
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Moves in any order: those that are refused are left out, so the play gets far.
    #[test]
    fn arbitrary_moves_are_no_panic(moves in proptest::collection::vec(any_move(), 1..60), seed in any::<u16>()) {
        let mut text = format!(
            "Players: Jan, Petr, Radka\nSeed {seed}\nThe pawn is on 18\nJan holds dream 1, sun 6, river 6\nPetr holds wind 6, sun 2, forest 6\n\
             Radka holds dream 3, sun 3, river 1\nAt sun lie 1 4 5\nAt river lie 2-5\nAt forest lie 1-5\nAt wind lie 1-5\nJan has a dagger face up\n\
             Petr has a portal face down\nRadka has a dagger face down\nFace up: portal, dagger\nPile: dagger, Eclipse left, mask, dagger\n---\n"
        );
        let begun = text.len();
        for line in moves {
            let trial = format!("{text}{line}\n");
            if Scenario::parse(&trial).unwrap().run().holds() {
                text = trial;
            }
        }
        prop_assert!(text.len() >= begun);
    }
}
