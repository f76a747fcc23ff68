//! Every operation on sealed decks, for one to five people, with phantoms and without, for decks from the smallest to the largest.

shamans_tests::conformance! {
    one: 1 seats, 1 people, sizes [two = 2, five = 5, many = 56, largest = 256];
    two: 2 seats, 2 people, sizes [two = 2, five = 5, many = 36, largest = 256];
    three: 3 seats, 3 people, sizes [two = 2, three = 3, ten = 10, many = 30, largest = 256];
    four: 4 seats, 4 people, sizes [two = 2, ten = 10, many = 36, largest = 256];
    five: 5 seats, 5 people, sizes [two = 2, three = 3, twelve = 12, many = 56, largest = 256];
    one_and_two_phantoms: 3 seats, 1 people, sizes [two = 2, many = 30];
    two_and_one_phantom: 3 seats, 2 people, sizes [three = 3, many = 30];
    three_and_two_phantoms: 5 seats, 3 people, sizes [twelve = 12, many = 56];
}
