//! Numbers below a thousand in the words of seven languages.

fn at<'a>(list: &[&'a str], index: u32) -> &'a str {
    list[index as usize]
}

pub fn english(n: u32) -> String {
    const ONES: [&str; 20] = [
        "",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    match n {
        0..=19 => at(&ONES, n).to_owned(),
        20..=99 if n.is_multiple_of(10) => at(&TENS, n / 10).to_owned(),
        20..=99 => format!("{}-{}", at(&TENS, n / 10), at(&ONES, n % 10)),
        _ if n.is_multiple_of(100) => format!("{} hundred", at(&ONES, n / 100)),
        _ => format!("{} hundred and {}", at(&ONES, n / 100), english(n % 100)),
    }
}

pub fn german(n: u32) -> String {
    const ONES: [&str; 20] = [
        "",
        "ein",
        "zwei",
        "drei",
        "vier",
        "fünf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
        "elf",
        "zwölf",
        "dreizehn",
        "vierzehn",
        "fünfzehn",
        "sechzehn",
        "siebzehn",
        "achtzehn",
        "neunzehn",
    ];
    const TENS: [&str; 10] =
        ["", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"];
    match n {
        0..=19 => at(&ONES, n).to_owned(),
        20..=99 if n.is_multiple_of(10) => at(&TENS, n / 10).to_owned(),
        20..=99 => format!("{}und{}", at(&ONES, n % 10), at(&TENS, n / 10)),
        _ => format!("{}hundert{}", at(&ONES, n / 100), german(n % 100)),
    }
}

pub fn french(n: u32) -> String {
    const ONES: [&str; 20] = [
        "", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
        "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
    ];
    const TENS: [&str; 7] = ["", "", "vingt", "trente", "quarante", "cinquante", "soixante"];
    match n {
        0..=19 => at(&ONES, n).to_owned(),
        20..=69 => match n % 10 {
            0 => at(&TENS, n / 10).to_owned(),
            1 => format!("{} et un", at(&TENS, n / 10)),
            one => format!("{}-{}", at(&TENS, n / 10), at(&ONES, one)),
        },
        71 => "soixante et onze".to_owned(),
        70..=79 => format!("soixante-{}", at(&ONES, n - 60)),
        80 => "quatre-vingts".to_owned(),
        81..=99 => format!("quatre-vingt-{}", at(&ONES, n - 80)),
        100 => "cent".to_owned(),
        101..=199 => format!("cent {}", french(n - 100)),
        _ if n.is_multiple_of(100) => format!("{} cents", at(&ONES, n / 100)),
        _ => format!("{} cent {}", at(&ONES, n / 100), french(n % 100)),
    }
}

pub fn spanish(n: u32) -> String {
    const ONES: [&str; 30] = [
        "",
        "uno",
        "dos",
        "tres",
        "cuatro",
        "cinco",
        "seis",
        "siete",
        "ocho",
        "nueve",
        "diez",
        "once",
        "doce",
        "trece",
        "catorce",
        "quince",
        "dieciséis",
        "diecisiete",
        "dieciocho",
        "diecinueve",
        "veinte",
        "veintiún",
        "veintidós",
        "veintitrés",
        "veinticuatro",
        "veinticinco",
        "veintiséis",
        "veintisiete",
        "veintiocho",
        "veintinueve",
    ];
    const TENS: [&str; 10] =
        ["", "", "", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"];
    const HUNDREDS: [&str; 10] = [
        "",
        "ciento",
        "doscientos",
        "trescientos",
        "cuatrocientos",
        "quinientos",
        "seiscientos",
        "setecientos",
        "ochocientos",
        "novecientos",
    ];
    match n {
        0..=29 => at(&ONES, n).to_owned(),
        30..=99 if n.is_multiple_of(10) => at(&TENS, n / 10).to_owned(),
        30..=99 => format!("{} y {}", at(&TENS, n / 10), at(&ONES, n % 10)),
        100 => "cien".to_owned(),
        _ if n.is_multiple_of(100) => at(&HUNDREDS, n / 100).to_owned(),
        _ => format!("{} {}", at(&HUNDREDS, n / 100), spanish(n % 100)),
    }
}

pub fn italian(n: u32) -> String {
    const ONES: [&str; 20] = [
        "",
        "uno",
        "due",
        "tre",
        "quattro",
        "cinque",
        "sei",
        "sette",
        "otto",
        "nove",
        "dieci",
        "undici",
        "dodici",
        "tredici",
        "quattordici",
        "quindici",
        "sedici",
        "diciassette",
        "diciotto",
        "diciannove",
    ];
    const TENS: [&str; 10] =
        ["", "", "venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta"];
    match n {
        0..=19 => at(&ONES, n).to_owned(),
        20..=99 => {
            let ten = at(&TENS, n / 10);
            match n % 10 {
                0 => ten.to_owned(),
                one @ (1 | 8) => format!("{}{}", &ten[..ten.len() - 1], at(&ONES, one)),
                3 => format!("{ten}tré"),
                one => format!("{ten}{}", at(&ONES, one)),
            }
        }
        100..=199 => format!("cento{}", italian(n - 100)),
        _ => format!("{}cento{}", at(&ONES, n / 100), italian(n % 100)),
    }
}

pub fn portuguese(n: u32) -> String {
    const ONES: [&str; 20] = [
        "",
        "um",
        "dois",
        "três",
        "quatro",
        "cinco",
        "seis",
        "sete",
        "oito",
        "nove",
        "dez",
        "onze",
        "doze",
        "treze",
        "catorze",
        "quinze",
        "dezasseis",
        "dezassete",
        "dezoito",
        "dezanove",
    ];
    const TENS: [&str; 10] =
        ["", "", "vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta", "noventa"];
    const HUNDREDS: [&str; 10] = [
        "",
        "cento",
        "duzentos",
        "trezentos",
        "quatrocentos",
        "quinhentos",
        "seiscentos",
        "setecentos",
        "oitocentos",
        "novecentos",
    ];
    match n {
        0..=19 => at(&ONES, n).to_owned(),
        20..=99 if n.is_multiple_of(10) => at(&TENS, n / 10).to_owned(),
        20..=99 => format!("{} e {}", at(&TENS, n / 10), at(&ONES, n % 10)),
        100 => "cem".to_owned(),
        _ if n.is_multiple_of(100) => at(&HUNDREDS, n / 100).to_owned(),
        _ => format!("{} e {}", at(&HUNDREDS, n / 100), portuguese(n % 100)),
    }
}

pub fn dutch(n: u32) -> String {
    const ONES: [&str; 20] = [
        "",
        "een",
        "twee",
        "drie",
        "vier",
        "vijf",
        "zes",
        "zeven",
        "acht",
        "negen",
        "tien",
        "elf",
        "twaalf",
        "dertien",
        "veertien",
        "vijftien",
        "zestien",
        "zeventien",
        "achttien",
        "negentien",
    ];
    const TENS: [&str; 10] =
        ["", "", "twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig"];
    match n {
        0..=19 => at(&ONES, n).to_owned(),
        20..=99 => match n % 10 {
            0 => at(&TENS, n / 10).to_owned(),
            one @ (2 | 3) => format!("{}ën{}", at(&ONES, one), at(&TENS, n / 10)),
            one => format!("{}en{}", at(&ONES, one), at(&TENS, n / 10)),
        },
        100..=199 => format!("honderd{}", dutch(n - 100)),
        _ => format!("{}honderd{}", at(&ONES, n / 100), dutch(n % 100)),
    }
}

#[cfg(test)]
mod tests {
    use crate::tongues::ALL;

    #[test]
    fn numbers_in_words() {
        let said: Vec<String> = ALL.iter().flat_map(|tongue| [23, 71, 98, 365].map(tongue.words)).collect();
        let words = [
            "twenty-three",
            "seventy-one",
            "ninety-eight",
            "three hundred and sixty-five",
            "dreiundzwanzig",
            "einundsiebzig",
            "achtundneunzig",
            "dreihundertfünfundsechzig",
            "vingt-trois",
            "soixante et onze",
            "quatre-vingt-dix-huit",
            "trois cent soixante-cinq",
            "veintitrés",
            "setenta y uno",
            "noventa y ocho",
            "trescientos sesenta y cinco",
            "ventitré",
            "settantuno",
            "novantotto",
            "trecentosessantacinque",
            "vinte e três",
            "setenta e um",
            "noventa e oito",
            "trezentos e sessenta e cinco",
            "drieëntwintig",
            "eenenzeventig",
            "achtennegentig",
            "driehonderdvijfenzestig",
        ];
        assert_eq!(said, words);
    }
}
