//! Shamans on the LAN.
