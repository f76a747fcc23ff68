//! Plays the script: before each move its pages, then the move, the player's own when they make it.

use std::time::Instant;

use gtk::{
    glib::{self, WeakRef},
    prelude::*,
};
use shamans_net::scenario::{Scenario, Walk};

use super::{
    coach::{Coach, Way},
    lesson::{self, Lesson},
};
use crate::{
    pieces::{Action, Event, Seat},
    session::{
        Session, look,
        snapshot::{Snapshot, Update},
        worker::Command,
    },
    settings::Settings,
    words,
};

/// The player's seat in the script.
const ME: Seat = Seat(0);

/// A channel's other side is gone: so is the window that showed the table.
struct Gone;

impl<T> From<async_channel::SendError<T>> for Gone {
    fn from(_: async_channel::SendError<T>) -> Gone {
        Gone
    }
}

impl From<async_channel::RecvError> for Gone {
    fn from(_: async_channel::RecvError) -> Gone {
        Gone
    }
}

/// The table and the coach beside it.
struct Room {
    session: WeakRef<Session>,
    coach: WeakRef<Coach>,
    settings: Settings,
    updates: async_channel::Sender<Update>,
    commands: async_channel::Receiver<Command>,
    presses: async_channel::Receiver<()>,
    changes: async_channel::Receiver<()>,
    names: Vec<String>,
}

/// Sits the player down where they left off: the table to show, and the coach to show above it.
pub fn begin(settings: &Settings) -> (Session, Coach) {
    let (orders, commands) = async_channel::unbounded();
    let (updates, seen) = async_channel::unbounded();
    let (press, presses) = async_channel::bounded(1);
    let (change, changes) = async_channel::bounded(1);
    let session = Session::new(settings, orders, seen);
    let coach = Coach::new();
    // A full channel has a press, or a change, waiting already.
    coach.connect_next(move || {
        let _ = press.try_send(());
    });
    session.connect_changed(move |_| {
        let _ = change.try_send(());
    });
    let room = Room {
        session: session.downgrade(),
        coach: coach.downgrade(),
        settings: settings.clone(),
        updates,
        commands,
        presses,
        changes,
        names: vec![settings.name_or_default(), "Mila".into(), "Oto".into()],
    };
    glib::spawn_future_local(async move {
        // Ends quietly when the window has left the table.
        let _ = room.run().await;
    });
    (session, coach)
}

impl Room {
    async fn run(&self) -> Result<(), Gone> {
        let scenario = Scenario::parse(lesson::SCRIPT).expect("a test plays the script");
        let mut walk = scenario.walk().expect("a test plays the script");
        let pages = lesson::pages(lesson::SCRIPT);
        let mut done = 0;
        let mut line = 0;
        while done < self.settings.lesson()
            && let Some(next) = walk.next_move()
        {
            walk.advance().expect("a test plays the script");
            line = next.line;
            done += 1;
        }
        self.updates
            .send(self.seen(&walk, Vec::new(), None))
            .await?;
        while let Some(next) = walk.next_move() {
            self.settings.set_lesson(done);
            let (seat, action) = next.by.expect("a test plays the script");
            let due = pages
                .iter()
                .enumerate()
                .filter(|(_, (at, _))| (line..next.line).contains(at));
            self.teach(due.map(|(i, (_, lesson))| (i, *lesson)), seat == ME)
                .await?;
            if seat == ME {
                self.updates
                    .send(self.seen(&walk, Vec::new(), Some(action)))
                    .await?;
                self.own_move(action).await?;
            }
            self.coach.upgrade().ok_or(Gone)?.hush();
            let events = walk.advance().expect("a test plays the script");
            self.updates.send(self.seen(&walk, events, None)).await?;
            line = next.line;
            done += 1;
        }
        let last = pages
            .iter()
            .enumerate()
            .filter(|(_, (at, _))| *at > line)
            .map(|(i, (_, lesson))| (i, *lesson));
        self.teach(last, false).await?;
        self.settings.set_lesson(0);
        let coach = self.coach.upgrade().ok_or(Gone)?;
        coach.activate_action("win.finish-tutorial", None).ok();
        Ok(())
    }

    /// Shows pages one after the other; the last one of the player's own move stays until the move is made.
    async fn teach(
        &self,
        pages: impl Iterator<Item = (usize, Lesson)>,
        own: bool,
    ) -> Result<(), Gone> {
        let pages: Vec<_> = pages.collect();
        for (i, (at, lesson)) in pages.iter().enumerate() {
            self.quiet().await?;
            let is_last = i + 1 == pages.len();
            let way = match lesson {
                Lesson::Farewell => Way::End,
                _ if own && is_last => Way::Move,
                _ => Way::Next,
            };
            // A press from before belongs to the page before.
            while self.presses.try_recv().is_ok() {}
            self.coach.upgrade().ok_or(Gone)?.show_page(
                words::tutorial::page(*lesson),
                at + 1,
                lesson::pages(lesson::SCRIPT).len(),
                way,
            );
            if way != Way::Move {
                self.presses.recv().await?;
            }
        }
        self.quiet().await
    }

    /// Waits until the player has made the move that is taught; nothing else is legal.
    async fn own_move(&self, action: Action) -> Result<(), Gone> {
        loop {
            match self.commands.recv().await? {
                Command::Act(made) if made == action => return Ok(()),
                Command::Act(_) | Command::GoOn | Command::Advise => {}
            }
        }
    }

    /// Waits until everything that happened has been shown.
    async fn quiet(&self) -> Result<(), Gone> {
        loop {
            let busy = self.session.upgrade().ok_or(Gone)?.is_busy();
            if self.updates.is_empty() && !busy {
                return Ok(());
            }
            self.changes.recv().await?;
        }
    }

    /// The table after `events`, where the player can do nothing but `allowed`.
    fn seen(&self, walk: &Walk<'_>, events: Vec<Event>, allowed: Option<Action>) -> Update {
        let mut table: Snapshot = walk.look(ME, |view| look::look(view, ME, &self.names));
        table.legal.retain(|action| Some(*action) == allowed);
        if allowed.is_none() {
            // First the coach has something to say.
            table.ask = None;
        }
        Update {
            events,
            check: None,
            record: None,
            advice: None,
            said: Vec::new(),
            table,
            settled: Instant::now(),
        }
    }
}
