//! The rules in own words, searchable, with pictures of cards and tiles.

use adw::prelude::*;
use gtk::glib;

use crate::{
    art::Art,
    components::{face::CardFace, header::header},
    pieces::{Artefact, Ritual, Role, World},
    words::{self, tr},
};

/// One passage: what it is about, its sentences, and pictures to stand beside it.
struct Passage {
    title: String,
    text: String,
    pictures: Vec<gtk::Widget>,
}

fn card(world: World) -> gtk::Widget {
    CardFace::new(
        &format!("world-{}", words::world_key(world)),
        "",
        &words::world(world),
        40,
    )
    .upcast()
}

fn passages() -> Vec<Passage> {
    let passage = |title: String, text: String, pictures: Vec<gtk::Widget>| Passage {
        title,
        text,
        pictures,
    };
    let roles = [Role::Shaman, Role::Shadow]
        .map(|role| CardFace::new(words::role_key(role), "", &words::role(role), 64).upcast());
    let mut all = vec![
        passage(
            tr("What it is about"),
            tr(
                "Each round everyone is secretly dealt an identity. Shamans try to keep the worlds in order until the cards run out; Shadows try to bring the Shadow pawn to the Moon. You know only your own identity. Talk as much as you like, but never name a colour, a world or a value.",
            ),
            roles.to_vec(),
        ),
        passage(
            tr("The worlds"),
            tr(
                "Cards belong to worlds and carry a value. Three players use five worlds, four use six, five use seven. When all cards of a world lie at it, the player who completed it performs its ritual.",
            ),
            (0..7).map(|i| card(World(i))).collect(),
        ),
        passage(
            tr("A trick"),
            tr(
                "The Guide leads any card: its world is the Destination. Then everyone plays one card, any card. A card of the Destination stays in front of its player. Any other card moves the Shadow one step towards the Moon and goes to its own world.",
            ),
            vec![
                Art::new("pawn", 44, 66).upcast(),
                Art::new("moon", 66, 66).upcast(),
            ],
        ),
        passage(
            tr("End of the trick"),
            tr(
                "Among the Destination cards the lowest takes an artefact. The highest lays all of them to their world, performs the ritual if it is now complete, and leads the next trick. Whoever served alone is both.",
            ),
            Vec::new(),
        ),
    ];
    for ritual in [
        Ritual::Illumination,
        Ritual::Stabilisation,
        Ritual::Permutation,
        Ritual::Neutralisation,
    ] {
        let more = match ritual {
            Ritual::Illumination => tr("The point is kept whatever happens later."),
            Ritual::Stabilisation => tr("The Shadow never goes back beyond the first space."),
            Ritual::Permutation => tr(
                "You must swap. Both look at their new card; nobody else learns anything. A card that lay open stays open.",
            ),
            Ritual::Neutralisation => tr(
                "With a dagger face up you must use it. With only face-down tiles you are asked and may decline, which tells nothing.",
            ),
        };
        let title = words::fill("Ritual: {ritual}", &[("ritual", &words::ritual(ritual))]);
        all.push(passage(
            title,
            format!("{} {more}", words::ritual_use(ritual)),
            vec![Art::new(words::ritual_key(ritual), 36, 36).upcast()],
        ));
    }
    for (artefact, more) in [
        (Artefact::Dagger, tr("There are five.")),
        (
            Artefact::Portal,
            tr(
                "There are two. You are asked when a Portal could decide something: before the Shadow reaches the Moon, before an elimination, and before the last cards end the round. Everyone with a face-down tile is asked, so that being asked tells nothing.",
            ),
        ),
        (
            Artefact::Moonstone,
            tr("There are three. It does not matter whether they lie face up."),
        ),
        (
            Artefact::Mask,
            tr(
                "There are two. The identity stays open for the rest of the round, also when it is swapped.",
            ),
        ),
    ] {
        all.push(passage(
            words::artefact(artefact),
            format!("{} {more}", words::artefact_use(artefact)),
            vec![Art::new(words::artefact_key(artefact), 64, 64).upcast()],
        ));
    }
    all.push(passage(
        tr("Taking an artefact"),
        tr("Take one of the two that lie face up, or the top of the pile. From the pile you look at it in secret and keep it face down, but a Mask of Truth shows itself at once."),
        vec![Art::new("tile-back", 64, 64).upcast()],
    ));
    all.push(passage(
        tr("The Eclipse"),
        tr("Somewhere in the pile lies the Eclipse. When it comes to the top, everyone passes a card to a neighbour, left or right as it says. Only giver and receiver know the card."),
        vec![Art::new("tile-eclipse-left", 64, 64).upcast(), Art::new("tile-eclipse-right", 64, 64).upcast()],
    ));
    all.push(passage(
        tr("Elimination"),
        tr("An eliminated player shows their identity and is out until the round ends. For a Shaman, the Shadow moves one step for every card left in their hand. If it was the last Shadow, the Shamans win at once. Another Shadow's hand goes to the worlds."),
        Vec::new(),
    ));
    all.push(passage(
        tr("End of the round"),
        tr("Shadows win when the pawn reaches the Moon: 3 points for each Shadow still in play. Shamans win when the last Shadow is eliminated or nobody holds a card: 2 points for each Shaman still in play. Two Moonstones are worth 2 points more. With 8 points or more the leader wins the game; a tie is played on."),
        vec![Art::new("point", 44, 44).upcast()],
    ));
    all.push(passage(
        tr("Our own reading"),
        tr("The rulebooks leave some points open. How many steps it is to the Moon, which world has which ritual beside Dream and Stone, who leads first, and what phantoms do, are our own readings."),
        Vec::new(),
    ));
    all.push(passage(
        tr("Who deals"),
        words::deal_proof(),
        vec![Art::new("glyph-check", 36, 36).upcast()],
    ));
    all
}

/// Marks the window of the rules.
const RULES: &str = "rules-window";

/// Opens the rules again if they are open: in the language of the moment.
pub fn speak_again() {
    let open = gtk::Window::list_toplevels()
        .into_iter()
        .find(|window| window.has_css_class(RULES));
    if let Some(old) = open.and_downcast::<gtk::Window>() {
        old.destroy();
        let over = crate::window::Window::current();
        present(over.as_ref().map(|over| over.upcast_ref()));
    }
}

/// Opens the rules over `parent`.
pub fn present(parent: Option<&gtk::Window>) {
    let window = adw::Window::builder()
        .title(tr("Rules"))
        .default_width(620)
        .default_height(680)
        .build();
    // Added to its own: set alone, it would leave the window without a background.
    window.add_css_class(RULES);
    window.set_transient_for(parent);
    let search = gtk::SearchEntry::builder()
        .placeholder_text(tr("Search the rules"))
        .hexpand(true)
        .build();
    search.set_width_chars(8);
    search.update_property(&[gtk::accessible::Property::Label(&tr("Search the rules"))]);
    let header = header(&search);
    let list = gtk::ListBox::builder()
        .selection_mode(gtk::SelectionMode::None)
        .css_classes(["boxed-list", "rules"])
        .build();
    for passage in passages() {
        let column = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(6)
            .margin_top(12)
            .margin_bottom(12)
            .margin_start(14)
            .margin_end(14)
            .build();
        let title = gtk::Label::builder()
            .label(&passage.title)
            .xalign(0.0)
            .css_classes(["heading"])
            .build();
        let text = gtk::Label::builder()
            .label(&passage.text)
            .xalign(0.0)
            .wrap(true)
            .build();
        column.append(&title);
        column.append(&text);
        if !passage.pictures.is_empty() {
            // In as many lines as the width asks for.
            let pictures = gtk::FlowBox::builder()
                .selection_mode(gtk::SelectionMode::None)
                .max_children_per_line(12)
                .min_children_per_line(2)
                .column_spacing(6)
                .row_spacing(6)
                .halign(gtk::Align::Start)
                // Only to be looked at: the focus passes by.
                .can_focus(false)
                .build();
            for picture in &passage.pictures {
                pictures.append(
                    &gtk::FlowBoxChild::builder()
                        .child(picture)
                        .focusable(false)
                        .build(),
                );
            }
            column.append(&pictures);
        }
        let row = gtk::ListBoxRow::builder()
            .activatable(false)
            .child(&column)
            .build();
        row.update_property(&[gtk::accessible::Property::Label(&format!(
            "{}. {}",
            passage.title, passage.text
        ))]);
        row.set_widget_name(&format!("{} {}", passage.title, passage.text).to_lowercase());
        list.append(&row);
    }
    list.set_filter_func(glib::clone!(
        #[weak]
        search,
        #[upgrade_or]
        true,
        move |row| {
            let wanted = search.text().to_lowercase();
            wanted
                .split_whitespace()
                .all(|word| row.widget_name().contains(word))
        }
    ));
    let nothing = gtk::Label::builder()
        .label(tr("Nothing in the rules says that."))
        .margin_top(24)
        .margin_bottom(24)
        .build();
    list.set_placeholder(Some(&nothing));
    search.connect_search_changed(glib::clone!(
        #[weak]
        list,
        move |_| list.invalidate_filter()
    ));
    let clamp = adw::Clamp::builder()
        .maximum_size(600)
        .child(&list)
        .margin_top(12)
        .margin_bottom(18)
        .margin_start(12)
        .margin_end(12)
        .build();
    let scroll = gtk::ScrolledWindow::builder()
        .child(&clamp)
        .hscrollbar_policy(gtk::PolicyType::Never)
        .vexpand(true)
        .build();
    let column = gtk::Box::new(gtk::Orientation::Vertical, 0);
    column.append(&header);
    column.append(&scroll);
    window.set_content(Some(&column));
    let close = gtk::EventControllerKey::new();
    close.connect_key_pressed(glib::clone!(
        #[weak]
        window,
        #[upgrade_or]
        glib::Propagation::Proceed,
        move |_, key, _, _| {
            if key == gtk::gdk::Key::Escape {
                window.close();
                return glib::Propagation::Stop;
            }
            glib::Propagation::Proceed
        }
    ));
    window.add_controller(close);
    window.present();
}
