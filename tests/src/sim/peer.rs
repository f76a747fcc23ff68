//! One peer of a simulation: its program, its disk, its player, and what it was told.

use shamans_core::game::{Game, Seat};
use shamans_core::log::Identity;
use shamans_core::table::{Consent, Happening, Notice, SignedGenesis, Table, Waits};

use super::Player;

/// One peer with its disk.
pub struct Peer<G: Game> {
    /// Its seat.
    pub seat: Seat,
    /// `None` while it is dead.
    pub table: Option<Table<G>>,
    /// What it has stored.
    pub disk: Vec<Vec<u8>>,
    /// What it was told.
    pub notices: Vec<Notice>,
    /// What happened, by step.
    pub happened: Vec<(u64, Happening<G>)>,
    /// What it sent: time and size, for the side channels.
    pub sent: Vec<(u64, usize)>,
    /// When each step was settled, from step 1 on.
    pub settled: Vec<u64>,
    pub(super) life: u32,
    pub(super) wake: u64,
    pub(super) act_at: u64,
    /// It dies after carrying out so many more outputs.
    pub(super) fuse: Option<u32>,
    pub(super) player: Box<dyn Player<G>>,
}

impl<G: Game> Peer<G> {
    pub(super) fn new(seat: Seat, mut table: Table<G>, player: Box<dyn Player<G>>) -> Peer<G> {
        table.set_consent(Consent::Auto);
        Peer {
            seat,
            table: Some(table),
            disk: Vec::new(),
            notices: Vec::new(),
            happened: Vec::new(),
            sent: Vec::new(),
            settled: Vec::new(),
            life: 0,
            wake: u64::MAX,
            act_at: u64::MAX,
            fuse: None,
            player,
        }
    }

    pub(super) fn fork(&self) -> Peer<G> {
        Peer {
            seat: self.seat,
            table: self.table.clone(),
            disk: self.disk.clone(),
            notices: self.notices.clone(),
            happened: self.happened.clone(),
            sent: self.sent.clone(),
            settled: self.settled.clone(),
            life: self.life,
            wake: self.wake,
            act_at: self.act_at,
            fuse: self.fuse,
            player: self.player.fork(),
        }
    }

    /// Another player, and no appointments.
    pub(super) fn begin_again(&mut self, player: Box<dyn Player<G>>) {
        self.player = player;
        self.wake = u64::MAX;
        self.act_at = u64::MAX;
    }

    /// The program ends at once. The disk stays.
    pub(super) fn die(&mut self) {
        self.table = None;
        self.life += 1;
        self.act_at = u64::MAX;
        self.wake = u64::MAX;
        self.fuse = None;
    }

    /// The program starts again, from its disk or, with a `genesis` from the others, from its identity alone.
    pub(super) fn rise(&mut self, identity: Identity, genesis: Option<&SignedGenesis>, now: u64) {
        let table = match genesis {
            None => Table::resume(self.disk.iter().map(Vec::as_slice), identity, now),
            Some(genesis) => {
                self.disk.clear();
                Table::recover(genesis.clone(), identity, now)
            }
        };
        let mut table = table.expect("what was stored can be read");
        table.set_consent(Consent::Auto);
        self.table = Some(table);
    }

    /// Burns the fuse by one output. True if the peer dies before carrying it out.
    pub(super) fn burns_out(&mut self) -> bool {
        match &mut self.fuse {
            Some(0) => true,
            Some(left) => {
                *left -= 1;
                false
            }
            None => false,
        }
    }

    /// May its player do something now, on turn or as an interrupt?
    pub(super) fn may_act(&self) -> bool {
        let Some(table) = &self.table else {
            return false;
        };
        let interrupts = match (table.me(), table.replica().waits()) {
            (Some(me), Waits::Game { interrupts, .. }) => interrupts.contains(me),
            (_, Waits::Game { .. } | Waits::Deal { .. } | Waits::Absence | Waits::Over) => false,
        };
        table.my_turn() || interrupts
    }

    /// Its player acts, if it wants to.
    pub(super) fn act(&mut self) {
        self.act_at = u64::MAX;
        let Some(table) = &mut self.table else { return };
        let Some(me) = table.me() else { return };
        let turn = table.my_turn();
        let choice = self.player.choose(table.game(), me, &table.known(), turn);
        if let Some(action) = choice {
            // Refusals are normal: the step may be settling.
            let _ = table.act(&action);
        }
    }
}
