//! Colours of text and ground, as far as it takes to see that one is lost on the other.

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    /// Nothing is seen of it.
    Clear,
    /// Red, green and blue.
    Rgb([u8; 3]),
    /// Another one, by a hash of how it is written; a picture or a gradient too.
    Other(u64),
}

impl Colour {
    pub(super) const WHITE: Colour = Colour::Rgb([255; 3]);

    /// The colour of a value in lower case; `None` where it leaves the colour as it is.
    pub(super) fn read(value: &str) -> Option<Colour> {
        const KNOWN: [(&str, [u8; 3]); 20] = [
            ("white", [255; 3]),
            ("snow", [255, 250, 250]),
            ("ivory", [255, 255, 240]),
            ("ghostwhite", [248, 248, 255]),
            ("floralwhite", [255, 250, 240]),
            ("whitesmoke", [245; 3]),
            ("mintcream", [245, 255, 250]),
            ("azure", [240, 255, 255]),
            ("aliceblue", [240, 248, 255]),
            ("black", [0; 3]),
            ("silver", [192; 3]),
            ("gray", [128; 3]),
            ("grey", [128; 3]),
            ("red", [255, 0, 0]),
            ("lime", [0, 255, 0]),
            ("blue", [0, 0, 255]),
            ("yellow", [255, 255, 0]),
            ("navy", [0, 0, 128]),
            ("green", [0, 128, 0]),
            ("maroon", [128, 0, 0]),
        ];
        let value = value.trim();
        match value {
            "" | "inherit" | "none" | "unset" | "currentcolor" => return None,
            "transparent" => return Some(Colour::Clear),
            "initial" | "revert" | "canvastext" => return Some(Colour::Rgb([0; 3])),
            _ => {}
        }
        if let Some((_, rgb)) = KNOWN.iter().find(|(name, _)| *name == value) {
            return Some(Colour::Rgb(*rgb));
        }
        let hexadecimal = value.strip_prefix('#').and_then(Self::hexadecimal);
        Some(
            hexadecimal
                .or_else(|| Self::function(value))
                .unwrap_or_else(|| Colour::Other(crate::text::word::hash(value))),
        )
    }

    /// `fff`, `fff0`, `ffffff` or `ffffff00`.
    fn hexadecimal(digits: &str) -> Option<Colour> {
        let values: Vec<u8> =
            digits.chars().map_while(|c| c.to_digit(16)).filter_map(|digit| u8::try_from(digit).ok()).collect();
        let pairs: Vec<u8> = match values.len() {
            3 | 4 => values.iter().map(|digit| digit * 17).collect(),
            6 | 8 => values.chunks(2).map(|pair| pair.iter().fold(0, |all, digit| all * 16 + digit)).collect(),
            _ => return None,
        };
        let whole = values.len() == digits.len();
        match pairs.as_slice() {
            [_, _, _, alpha] if whole && *alpha < 13 => Some(Colour::Clear),
            [red, green, blue, ..] if whole => Some(Colour::Rgb([*red, *green, *blue])),
            _ => None,
        }
    }

    /// `rgb(255, 255, 255)`, `rgba(0 0 0 / 0)`, `hsl(0, 0%, 100%)`.
    fn function(value: &str) -> Option<Colour> {
        let (name, arguments) = value.split_once('(')?;
        let (arguments, _) = arguments.split_once(')')?;
        let number = |text: &str| {
            let share = text.strip_suffix('%');
            share.unwrap_or(text).parse::<f64>().ok().map(|number| (number, share.is_some()))
        };
        let parts: Option<Vec<(f64, bool)>> = arguments
            .split([',', ' ', '/'])
            .filter(|part| !part.is_empty())
            .map(|part| number(part.trim_end_matches("deg")))
            .collect();
        let parts = parts?;
        if let Some((alpha, is_share)) = parts.get(3)
            && *alpha < if *is_share { 5.0 } else { 0.05 }
        {
            return Some(Colour::Clear);
        }
        match (name.trim(), parts.as_slice()) {
            ("rgb" | "rgba", [red, green, blue, ..]) => {
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "clamped to the range of a byte before"
                )]
                let byte = |(number, is_share): &(f64, bool)| {
                    if *is_share { number * 2.55 } else { *number }.clamp(0.0, 255.0) as u8
                };
                Some(Colour::Rgb([byte(red), byte(green), byte(blue)]))
            }
            ("hsl" | "hsla", [_, _, (light, _), ..]) if *light >= 97.0 => Some(Colour::WHITE),
            ("hsl" | "hsla", [_, _, (light, _), ..]) if *light <= 3.0 => Some(Colour::Rgb([0; 3])),
            _ => None,
        }
    }

    /// Whether nobody reads text of this colour on such a ground.
    pub(super) fn is_lost_on(self, ground: Colour) -> bool {
        // #f0f0f0 on white.
        const NEAR: u8 = 15;
        match (self, ground) {
            (Colour::Clear, _) => true,
            (Colour::Rgb(own), Colour::Rgb(ground)) => {
                own.iter().zip(ground).all(|(own, ground)| own.abs_diff(ground) <= NEAR)
            }
            (Colour::Rgb(own), Colour::Clear) => Colour::Rgb(own).is_lost_on(Colour::WHITE),
            (own, ground) => own == ground,
        }
    }
}
