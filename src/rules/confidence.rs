//! The two formulas of the confidence bound that reading a policy needs already: the quantile of the normal
//! distribution, and the least sample that could ever pass.

use super::policy::Bound;

/// Quantile of the standard normal distribution for `p` in (0, 1): the z with Φ(z) = p. At `p` outside it, ±infinity
/// (and NaN for NaN), as the limit is.
///
/// M. J. Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics 37 (1988),
/// routine PPND16: relative error about 10⁻¹⁶.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    if p.is_nan() {
        return f64::NAN;
    }
    if p <= 0.0 || p >= 1.0 {
        return if p <= 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * polynomial(&CENTRE_A, r) / polynomial(&CENTRE_B, r);
    }
    let r = (-(if q < 0.0 { p } else { 1.0 - p }).ln()).sqrt();
    let tail = if r <= 5.0 {
        polynomial(&TAIL_C, r - 1.6) / polynomial(&TAIL_D, r - 1.6)
    } else {
        polynomial(&FAR_E, r - 5.0) / polynomial(&FAR_F, r - 5.0)
    };
    if q < 0.0 { -tail } else { tail }
}

/// Horner's scheme, coefficients from the highest power down.
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

#[rustfmt::skip]
const CENTRE_A: [f64; 8] = [
    2.509_080_928_730_122_7e3, 3.343_057_558_358_813e4, 6.726_577_092_700_87e4, 4.592_195_393_154_987e4,
    1.373_169_376_550_946e4, 1.971_590_950_306_551_3e3, 1.331_416_678_917_843_8e2, 3.387_132_872_796_366_5,
];
#[rustfmt::skip]
const CENTRE_B: [f64; 8] = [
    5.226_495_278_852_854e3, 2.872_908_573_572_194_3e4, 3.930_789_580_009_271e4, 2.121_379_430_158_66e4,
    5.394_196_021_424_751e3, 6.871_870_074_920_579e2, 4.231_333_070_160_091e1, 1.0,
];
#[rustfmt::skip]
const TAIL_C: [f64; 8] = [
    7.745_450_142_783_414e-4, 2.272_384_498_926_918_4e-2, 2.417_807_251_774_506e-1, 1.270_458_252_452_368_4,
    3.647_848_324_763_204_5, 5.769_497_221_460_691, 4.630_337_846_156_546, 1.423_437_110_749_683_5,
];
#[rustfmt::skip]
const TAIL_D: [f64; 8] = [
    1.050_750_071_644_416_9e-9, 5.475_938_084_995_345e-4, 1.519_866_656_361_645_7e-2, 1.481_039_764_274_800_8e-1,
    6.897_673_349_851e-1, 1.676_384_830_183_803_8, 2.053_191_626_637_759, 1.0,
];
#[rustfmt::skip]
const FAR_E: [f64; 8] = [
    2.010_334_399_292_288_1e-7, 2.711_555_568_743_487_6e-5, 1.242_660_947_388_078_4e-3, 2.653_218_952_657_612_4e-2,
    2.965_605_718_285_048_7e-1, 1.784_826_539_917_291_3, 5.463_784_911_164_114, 6.657_904_643_501_103,
];
#[rustfmt::skip]
const FAR_F: [f64; 8] = [
    2.044_263_103_389_939_8e-15, 1.421_511_758_316_446e-7, 1.846_318_317_510_054_8e-5, 7.868_691_311_456_133e-4,
    1.487_536_129_085_061_5e-2, 1.369_298_809_227_358e-1, 5.998_322_065_558_88e-1, 1.0,
];

/// Which side of a value a bound stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// `min`: the value must not be less.
    Min,
    /// `max`: the value must not be more.
    Max,
}

/// The least denominator at which a flawless result could show `bound` at this one-sided `confidence`:
/// ⌈z²·b/(1−b)⌉ for `min`, ⌈z²·(1−b)/b⌉ for `max` (SPEC 7). `None` where no sample can: `min: 1`, `max: 0`.
#[must_use]
pub fn least_samples(side: Side, bound: &Bound, confidence: f64) -> Option<u64> {
    let b = bound.to_f64();
    let odds = match side {
        Side::Min => b / (1.0 - b),
        Side::Max => (1.0 - b) / b,
    };
    let z = normal_quantile(confidence);
    let least = (z * z * odds).ceil();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be finite and not negative")]
    (least.is_finite() && least >= 0.0).then_some(least as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(text: &str, mantissa: u64, scale: u32) -> Bound {
        Bound { text: text.to_owned(), mantissa, scale }
    }

    #[test]
    fn quantiles_agree_with_tables() {
        // Φ⁻¹ to 15 digits from published tables.
        for (p, z) in [
            (0.5, 0.0),
            (0.9, 1.281_551_565_544_600_4),
            (0.95, 1.644_853_626_951_472_2),
            (0.975, 1.959_963_984_540_054),
            (0.99, 2.326_347_874_040_841),
            (0.999, 3.090_232_306_167_813_5),
            (0.000_001, -4.753_424_308_822_899),
            (1e-20, -9.262_340_089_798_41),
        ] {
            assert!((normal_quantile(p) - z).abs() < 1e-12, "{p}: {} and {z}", normal_quantile(p));
        }
        assert!(normal_quantile(0.0).is_infinite() && normal_quantile(1.0).is_infinite());
    }

    #[test]
    fn least_samples_are_those_of_the_definition() {
        // z(0.95)² = 2.705543; · 0.95/0.05 = 51.405 → 52; · 0.99/0.01 = 267.85 → 268.
        assert_eq!(least_samples(Side::Min, &bound("0.95", 95, 2), 0.95), Some(52));
        assert_eq!(least_samples(Side::Min, &bound("0.99", 99, 2), 0.95), Some(268));
        assert_eq!(least_samples(Side::Max, &bound("0.05", 5, 2), 0.95), Some(52));
        assert_eq!(least_samples(Side::Min, &bound("1", 1, 0), 0.95), None);
        assert_eq!(least_samples(Side::Max, &bound("0", 0, 0), 0.95), None);
        assert_eq!(least_samples(Side::Min, &bound("0", 0, 0), 0.95), Some(0));
    }
}
