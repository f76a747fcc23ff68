//! Sounds of the table: which fact makes which, and playing them. Only public facts sound, so that an ear learns nothing that an
//! eye at the same seat could not see: a face-down tile rings like a face-up one, and every question calls alike.
//!
//! Played by whatever player of sounds the system has (PipeWire, PulseAudio, ALSA). Without one, or without a device, it is quiet.

use std::{
    cell::{Cell, OnceCell, RefCell},
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use gtk::{gio, glib, prelude::*};

use crate::{application::RESOURCES, pieces::Event, session::Session, settings::Settings};

/// Programs that play a file, and what they want to hear before its name.
const PLAYERS: [(&str, &[&str]); 3] = [("pw-play", &[]), ("paplay", &[]), ("aplay", &["-q"])];

/// The same sound again sooner than this would only be louder.
const GAP: Duration = Duration::from_millis(90);

/// A sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sound {
    /// A card is played.
    Card,
    /// The player is asked something.
    Turn,
    /// A trick is won.
    Trick,
    /// A tile changes hands.
    Artefact,
    /// The Eclipse.
    Eclipse,
    /// A player is eliminated.
    Elimination,
    /// A round is over.
    Round,
    /// Somebody says something.
    Chat,
}

impl Sound {
    /// All of them.
    pub const ALL: [Sound; 8] = [
        Sound::Card,
        Sound::Turn,
        Sound::Trick,
        Sound::Artefact,
        Sound::Eclipse,
        Sound::Elimination,
        Sound::Round,
        Sound::Chat,
    ];

    /// Its file in `data/sounds/`.
    fn file(self) -> &'static str {
        match self {
            Sound::Card => "card.wav",
            Sound::Turn => "turn.wav",
            Sound::Trick => "trick.wav",
            Sound::Artefact => "artefact.wav",
            Sound::Eclipse => "eclipse.wav",
            Sound::Elimination => "elimination.wav",
            Sound::Round => "round.wav",
            Sound::Chat => "chat.wav",
        }
    }
}

/// What a fact sounds like; most are silent.
pub fn of(event: &Event) -> Option<Sound> {
    match event {
        Event::Led { .. } | Event::Followed { .. } | Event::Strayed { .. } => Some(Sound::Card),
        Event::TrickEnded { .. } => Some(Sound::Trick),
        Event::Took { .. } | Event::PortalUsed { .. } => Some(Sound::Artefact),
        Event::EclipseBegan { .. } => Some(Sound::Eclipse),
        Event::Eliminated { .. } => Some(Sound::Elimination),
        Event::RoundEnded { .. } => Some(Sound::Round),
        Event::RoundBegan { .. }
        | Event::LeftOver { .. }
        | Event::Offered { .. }
        | Event::GuideDrawn { .. }
        | Event::TrickBegan { .. }
        | Event::PawnMoved { .. }
        | Event::Laid { .. }
        | Event::RitualBegan { .. }
        | Event::RitualIdle { .. }
        | Event::NothingToTake { .. }
        | Event::Unmasked { .. }
        | Event::CardsPassed { .. }
        | Event::Swapped { .. }
        | Event::Struck { .. }
        | Event::Spared { .. }
        | Event::HandShown { .. }
        | Event::GuideNamed { .. }
        | Event::Scored { .. }
        | Event::Chose { .. }
        | Event::Declined { .. }
        | Event::TileShown { .. }
        | Event::HandOpened { .. }
        | Event::Tied { .. }
        | Event::GameEnded { .. }
        | Event::StoodIn { .. }
        | Event::CameBack { .. }
        | Event::RoundVoided => None,
    }
}

/// Where the files lie once unpacked, and what plays them.
struct Player {
    program: PathBuf,
    before: &'static [&'static str],
    folder: PathBuf,
}

thread_local! {
    static PLAYER: OnceCell<Option<Player>> = const { OnceCell::new() };
    static LAST: Cell<Option<(Sound, Instant)>> = const { Cell::new(None) };
    /// Still sounding: held until they end, so that no process is left behind unwaited.
    static SOUNDING: RefCell<Vec<gio::Subprocess>> = const { RefCell::new(Vec::new()) };
}

/// Unpacks the sounds for players that want files.
fn unpack(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for sound in Sound::ALL {
        let place = format!("{RESOURCES}/sounds/{}", sound.file());
        let bytes = gio::resources_lookup_data(&place, gio::ResourceLookupFlags::NONE)
            .expect("the sounds are packed by the build");
        let path = folder.join(sound.file());
        if fs::metadata(&path).map(|file| file.len()).ok() != Some(bytes.len() as u64) {
            fs::write(path, &bytes)?;
        }
    }
    Ok(())
}

fn find_player() -> Option<Player> {
    let (program, before) = PLAYERS.into_iter().find_map(|(name, before)| {
        glib::find_program_in_path(name).map(|program| (program, before))
    })?;
    let folder = glib::user_cache_dir().join("shamans").join("sounds");
    unpack(&folder).ok()?;
    Some(Player {
        program,
        before,
        folder,
    })
}

/// Plays `sound`, if that can be done here.
fn play(sound: Sound) {
    let now = Instant::now();
    let soon = LAST
        .get()
        .is_some_and(|(last, when)| last == sound && now - when < GAP);
    if soon {
        return;
    }
    LAST.set(Some((sound, now)));
    PLAYER.with(|player| {
        let Some(player) = player.get_or_init(find_player) else {
            return;
        };
        let path = player.folder.join(sound.file());
        let mut words: Vec<&OsStr> = vec![player.program.as_os_str()];
        words.extend(player.before.iter().map(OsStr::new));
        words.push(path.as_os_str());
        let quiet = gio::SubprocessFlags::STDOUT_SILENCE | gio::SubprocessFlags::STDERR_SILENCE;
        // No device, no server, no permission: the game goes on without sound.
        let Ok(process) = gio::Subprocess::newv(&words, quiet) else {
            return;
        };
        SOUNDING.with_borrow_mut(|sounding| sounding.push(process.clone()));
        process
            .clone()
            .wait_async(gio::Cancellable::NONE, move |_| {
                SOUNDING.with_borrow_mut(|sounding| sounding.retain(|other| *other != process));
            });
    });
}

fn play_if_on(settings: &Settings, sound: Sound) {
    if settings.sound() {
        play(sound);
    }
}

/// The player is asked something beside the game.
pub fn call(settings: &Settings) {
    play_if_on(settings, Sound::Turn);
}

/// Lets a table sound for as long as it lasts.
pub fn attach(session: &Session) {
    session.connect_heard(|session, event| {
        if let Some(sound) = of(event) {
            play_if_on(session.settings(), sound);
        }
    });
    session.connect_asked_notify(|session| {
        if session.asked() {
            play_if_on(session.settings(), Sound::Turn);
        }
    });
    session.log().connect_items_changed(glib::clone!(
        #[weak]
        session,
        move |log, at, _, added| {
            let said = (at..at + added)
                .filter_map(|i| {
                    log.item(i)
                        .and_downcast::<crate::session::models::LineModel>()
                })
                .any(|line| line.kind() == "chat");
            if said {
                play_if_on(session.settings(), Sound::Chat);
            }
        }
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::{Artefact, Pick, Seat};

    #[test]
    fn a_hidden_tile_sounds_like_an_open_one() {
        let took = |artefact| {
            of(&Event::Took {
                seat: Seat(1),
                from: Pick::Pile,
                artefact,
            })
        };
        assert_eq!(took(None), Some(Sound::Artefact));
        assert_eq!(took(None), took(Some(Artefact::Portal)));
    }

    #[test]
    fn every_sound_is_a_short_wave_file() {
        for sound in Sound::ALL {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../data/sounds")
                .join(sound.file());
            let bytes = fs::read(path).unwrap();
            assert_eq!(bytes.get(..4), Some(b"RIFF".as_slice()), "{sound:?}");
            assert!(
                bytes.len() < 100_000,
                "{sound:?} is longer than two seconds"
            );
        }
    }
}
