//! What happens at the table around the game, in plain words: deals and their check, who goes and comes back, what is refused.

use shamans_core::game::Seat;
use shamans_core::shamans::Shamans;
use shamans_core::table::{ActError, Happening, Refusal, Remedy, Suspicion};

use super::Account;
use crate::words::{fill, mark, tr};

impl Account {
    /// What happened in a settled step.
    pub fn happening(&self, happening: &Happening<Shamans>) -> String {
        match happening {
            Happening::Event { by: _, event } => self.event(event),
            Happening::Overtaken(seat) => self.of(
                *seat,
                mark("{name} was too late: the move counts for nothing."),
            ),
            Happening::DealBegins(number) => {
                fill("Deal {deal} begins.", &[("deal", &number.to_string())])
            }
            Happening::Audited { deal, verdict } => {
                let values = [("deal", &*deal.to_string())];
                match (verdict.is_fair(), verdict.is_complete()) {
                    (true, true) => fill("Deal {deal} is revealed and checked: fair.", &values),
                    (true, false) => fill(
                        "Deal {deal} is revealed and checked: fair as far as seeds were revealed.",
                        &values,
                    ),
                    (false, _) => fill("Deal {deal} is revealed and checked: NOT FAIR.", &values),
                }
            }
            Happening::Gone { seats, remedy } => {
                let values = [("names", &*self.seats(*seats))];
                match remedy {
                    Remedy::StandIn => fill(
                        "The others go on without {names}: a phantom plays on.",
                        &values,
                    ),
                    Remedy::Void => fill(
                        "The others go on without {names}: the round is dealt again.",
                        &values,
                    ),
                }
            }
            Happening::Back(seat) => self.of(*seat, mark("{name} is back.")),
            Happening::Left(seat) => self.of(*seat, mark("{name} leaves the table.")),
        }
    }

    /// What a program does that cannot be proved wrong.
    pub fn suspicion(&self, seat: Seat, why: &Suspicion) -> String {
        let message = match why {
            Suspicion::Garbage => mark("What comes from {name}'s program cannot be read."),
            Suspicion::Forged => mark("Something under {name}'s name is not signed by them."),
            Suspicion::Stalling => mark("{name}'s program is there but does not go on."),
            Suspicion::FalseHistory => mark("{name}'s program tells another history of this game."),
        };
        self.of(seat, message)
    }
}

/// Why a wish of the player was not carried out. The rules give their reasons in English; what they can say is listed in
/// [`REASONS`].
pub fn refused(error: &ActError) -> String {
    match error {
        ActError::NotSeated => tr("there is no seat to act from"),
        ActError::Settling => tr("the step is being settled"),
        ActError::AlreadyMoved => tr("the move has already been made"),
        ActError::Unproved => tr("the card cannot be shown"),
        // Whose move it was is clear.
        ActError::Refused(Refusal::Illegal(_, reason)) => tr(reason),
        ActError::Refused(refusal) => refusal.to_string(),
    }
}

/// Every reason of the rules for refusing a player's move, to be looked up.
pub const REASONS: [&str; 18] = [
    mark("the game is over"),
    mark("the cards are on their way: nobody can act until they have arrived"),
    mark("it is not this seat's turn"),
    mark("this seat has something else to decide now"),
    mark("nobody holds this seat: a phantom plays it"),
    mark("this card is not in the hand"),
    mark("there is no such card"),
    mark("there is no tile to take there"),
    mark("this tile does not lie in front of the seat"),
    mark("this tile is not a Ritual Dagger"),
    mark("this tile is not a Portal"),
    mark("a face-up Ritual Dagger must be used"),
    mark("a player cannot choose themselves"),
    mark("an eliminated player is out until the round ends"),
    mark("the pawn is on the first space and cannot go back"),
    mark("this world's ritual is not to be performed now"),
    mark("this is no answer to what the game asked of the decks"),
    mark("this seat is not away, or is away already"),
];

#[cfg(test)]
mod tests {
    use shamans_core::shamans::Illegal;

    use super::*;
    use crate::words::{Language, in_language};

    #[test]
    fn every_reason_of_the_rules_is_known_in_each_language() {
        let all = [
            Illegal::GameOver,
            Illegal::CardsUnderway,
            Illegal::NotAwaited,
            Illegal::OtherDecision,
            Illegal::Phantom,
            Illegal::NotInHand,
            Illegal::NoSuchCard,
            Illegal::NoTileThere,
            Illegal::NotYourTile,
            Illegal::NotADagger,
            Illegal::NotAPortal,
            Illegal::MustUseFaceUp,
            Illegal::Oneself,
            Illegal::Eliminated,
            Illegal::AtStart,
            Illegal::NoSuchRitual,
            Illegal::WrongOutcome,
            Illegal::NotAway,
        ];
        assert_eq!(all.map(|reason| reason.to_string()), REASONS);
        for reason in all {
            let error = ActError::Refused(Refusal::Illegal(Seat(1), reason.to_string()));
            for language in [Language::Czech, Language::German, Language::Russian] {
                let said = in_language(language, || refused(&error));
                assert_ne!(said, reason.to_string(), "{language:?}");
            }
        }
    }
}
