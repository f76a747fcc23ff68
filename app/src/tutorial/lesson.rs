//! What is taught, in which order: the names that stand in the script, each before the move it belongs to.

/// The script, part of the program.
pub const SCRIPT: &str = include_str!("../../../data/tutorial.txt");

macro_rules! lessons {
    ($($name:ident),* $(,)?) => {
        /// One page of the tutorial.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Lesson {
            $(#[doc = stringify!($name)] $name),*
        }

        impl Lesson {
            /// All pages, in the order in which they are listed here.
            #[cfg(test)]
            pub const ALL: &[Lesson] = &[$(Lesson::$name),*];

            /// By the name used in the script.
            fn named(name: &str) -> Option<Lesson> {
                match name {
                    $(stringify!($name) => Some(Lesson::$name),)*
                    _ => None,
                }
            }
        }
    };
}

lessons!(
    Welcome,
    Identity,
    Path,
    Lead,
    Followed,
    Strayed,
    Take,
    NextGuide,
    Complete,
    Permutation,
    Deduce,
    FaceDown,
    Highest,
    Moonstones,
    Eclipse,
    Illumination,
    LeadRiver,
    Stabilisation,
    Dagger,
    LeadSun,
    Portal,
    Mask,
    Neutralisation,
    Scoring,
    Badge,
    Farewell,
);

/// The pages of `script`, each with the line it stands on (from 1 on): it is shown before the next move below that line.
pub fn pages(script: &str) -> Vec<(usize, Lesson)> {
    let named = |(at, line): (usize, &str)| {
        let name = line.strip_prefix("# Lesson ")?;
        Some((at + 1, Lesson::named(name.trim())?))
    };
    script.lines().enumerate().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use shamans_core::game::Seat;
    use shamans_net::scenario::Scenario;

    use super::*;

    #[test]
    fn every_lesson_stands_in_the_script_once_and_no_other_does() {
        let found: Vec<Lesson> = pages(SCRIPT)
            .into_iter()
            .map(|(_, lesson)| lesson)
            .collect();
        assert_eq!(found, Lesson::ALL);
        let marked = SCRIPT.lines().filter(|line| line.starts_with("# Lesson"));
        assert_eq!(marked.count(), Lesson::ALL.len());
    }

    #[test]
    fn the_script_holds_and_every_move_of_the_player_is_taught() {
        let scenario = Scenario::parse(SCRIPT).unwrap();
        let report = scenario.run();
        assert!(report.holds(), "{:?}", report.findings);
        let mut walk = scenario.walk().unwrap();
        let pages = pages(SCRIPT);
        let mut before = 0;
        let mut own = 0;
        while let Some(next) = walk.next_move() {
            let (seat, action) = next.by.expect("the tutorial has seats' moves only");
            let taught = pages
                .iter()
                .any(|(line, _)| (before..next.line).contains(line));
            if seat == Seat(0) {
                own += 1;
                assert!(taught, "line {}: nothing is said of this move", next.line);
                let legal = walk.look(seat, |view| view.legal());
                assert!(legal.contains(&action), "line {}", next.line);
            }
            before = next.line;
            walk.advance().unwrap();
        }
        assert!(own >= 12, "the player makes the moves, found {own}");
    }
}
