//! What happens at the table around the game, in plain words: deals and their check, who goes and comes back, what is refused.

use shamans_core::game::Seat;
use shamans_core::shamans::Shamans;
use shamans_core::table::{ActError, Happening, Refusal, Remedy, Suspicion};

use super::Account;
use crate::sentences::spoken;
use crate::words::{fill, mark};

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

/// Why a wish of the player was not carried out.
pub fn refused(error: &ActError) -> String {
    match error {
        // Whose move it was is clear.
        ActError::Refused(Refusal::Illegal(_, reason)) => spoken(reason),
        ActError::Refused(_)
        | ActError::NotSeated
        | ActError::Settling
        | ActError::AlreadyMoved
        | ActError::Unproved => spoken(&error.to_string()),
    }
}
