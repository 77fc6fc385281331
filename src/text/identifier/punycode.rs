//! Punycode (RFC 3492): the letters of other alphabets in a host name, `mnchen-3ya` for `münchen`.

/// The letters that a label without its `xn--` stands for; `None` where it stands for none. No label is longer than 63 characters.
pub(super) fn decode(label: &str) -> Option<String> {
    const LONGEST: usize = 63;
    if label.len() > LONGEST || !label.is_ascii() {
        return None;
    }
    let (basic, coded) = label.rsplit_once('-').unwrap_or(("", label));
    let mut letters: Vec<char> = basic.chars().collect();
    let (mut code, mut at, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = coded.bytes();
    while digits.len() > 0 {
        let before = at;
        let (mut weight, mut step) = (1_u32, 36_u32);
        loop {
            let digit = value(digits.next()?)?;
            at = at.checked_add(digit.checked_mul(weight)?)?;
            let threshold = step.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(36 - threshold)?;
            step += 36;
        }
        let length = u32::try_from(letters.len()).ok()? + 1;
        bias = adapted(at - before, length, before == 0);
        code = code.checked_add(at / length)?;
        at %= length;
        letters.insert(at as usize, char::from_u32(code)?);
        at += 1;
    }
    Some(letters.into_iter().collect())
}

fn value(digit: u8) -> Option<u32> {
    match digit {
        b'a'..=b'z' => Some(u32::from(digit - b'a')),
        b'A'..=b'Z' => Some(u32::from(digit - b'A')),
        b'0'..=b'9' => Some(u32::from(digit - b'0') + 26),
        _ => None,
    }
}

fn adapted(distance: u32, length: u32, first: bool) -> u32 {
    let mut delta = if first { distance / 700 } else { distance / 2 };
    delta += delta / length;
    let mut step = 0;
    while delta > 455 {
        delta /= 35;
        step += 36;
    }
    step + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_several_alphabets() {
        assert_eq!(decode("mnchen-3ya").as_deref(), Some("münchen"));
        assert_eq!(decode("bcher-kva").as_deref(), Some("bücher"));
        // The samples (B) and (I) of RFC 3492, section 7.1.
        assert_eq!(decode("ihqwcrb4cv8a8dqg056pqjye").as_deref(), Some("他们为什么不说中文"));
        assert_eq!(decode("!!"), None);
        assert_eq!(decode("99999999"), None);
    }
}
