//! The words of the table phrase: four numbers that all screens share, as words to read aloud once.

/// One word for each number.
#[rustfmt::skip]
const WORDS: [&str; 256] = [
    "acorn", "amber", "anchor", "angel", "apple", "april", "arrow", "aspen",
    "atlas", "autumn", "badge", "bagel", "bamboo", "banner", "barley", "basket",
    "beacon", "beaver", "bishop", "blanket", "blossom", "bonfire", "border", "bottle",
    "branch", "breeze", "bridge", "bronze", "bucket", "butter", "button", "cabin",
    "cactus", "camel", "candle", "canyon", "carbon", "carpet", "castle", "cedar",
    "cellar", "chalk", "cherry", "chimney", "cider", "circus", "citrus", "clover",
    "cobalt", "coffee", "comet", "copper", "coral", "cotton", "coyote", "cradle",
    "crayon", "cricket", "crimson", "crystal", "curtain", "cypress", "daisy", "dancer",
    "desert", "diamond", "dinner", "dolphin", "donkey", "dragon", "drummer", "eagle",
    "easel", "echo", "elbow", "ember", "emerald", "engine", "evening", "falcon",
    "feather", "fiddle", "field", "finger", "flame", "flower", "forest", "fountain",
    "fox", "frost", "galaxy", "garden", "garlic", "ginger", "glacier", "globe",
    "goblet", "golden", "granite", "grape", "guitar", "hammer", "harbour", "harvest",
    "hazel", "helmet", "heron", "hollow", "honey", "hornet", "hunter", "iceberg",
    "igloo", "indigo", "island", "ivory", "jacket", "jaguar", "jasmine", "jewel",
    "jigsaw", "jungle", "kettle", "kingdom", "kitten", "ladder", "lagoon", "lantern",
    "laurel", "lemon", "lilac", "linen", "lion", "lizard", "lobster", "lotus",
    "magnet", "mango", "maple", "marble", "market", "meadow", "melon", "meteor",
    "midnight", "mirror", "monkey", "morning", "mountain", "muffin", "mustard", "napkin",
    "nectar", "needle", "nettle", "night", "nutmeg", "oasis", "ocean", "olive",
    "onion", "opal", "orange", "orchard", "orchid", "otter", "oyster", "paddle",
    "palace", "panda", "paper", "parrot", "pebble", "pelican", "pencil", "pepper",
    "piano", "picnic", "pillow", "pilot", "pirate", "planet", "plum", "pocket",
    "pony", "poplar", "potato", "prairie", "puffin", "pumpkin", "puzzle", "quartz",
    "quill", "rabbit", "radar", "radish", "rainbow", "raven", "ribbon", "river",
    "robin", "rocket", "rooster", "saddle", "saffron", "sailor", "salmon", "sandal",
    "satin", "scarlet", "shadow", "shelter", "silver", "sister", "skylark", "slipper",
    "snowman", "spider", "spiral", "sponge", "spruce", "squirrel", "stable", "statue",
    "summer", "sunset", "swallow", "tailor", "tango", "temple", "thimble", "thistle",
    "thunder", "ticket", "tiger", "timber", "tomato", "topaz", "tower", "trumpet",
    "tulip", "tunnel", "turtle", "twilight", "umbrella", "valley", "velvet", "village",
    "violet", "violin", "wagon", "walnut", "walrus", "water", "willow", "winter",
];

/// The phrase for these numbers, as [`shamans_core::table::Genesis::phrase`] gives them.
pub fn words(numbers: [u8; 4]) -> String {
    numbers
        .iter()
        .filter_map(|number| WORDS.get(usize::from(*number)).copied())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_word_of_its_own() {
        let mut sorted = WORDS.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 256);
        assert_eq!(words([0, 0, 255, 1]).split(' ').count(), 4);
    }
}
