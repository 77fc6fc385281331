//! Plots as SVG files that stand alone: no script, no font or style from elsewhere, light and dark as the reader has it, readable at
//! 640 pixels. Coordinates are doubles; what they show was counted exactly.

use std::fmt::Write as _;

use super::visible::short;

/// Width of a plot, in pixels.
const WIDTH: f64 = 640.0;
/// Left and right end of the x axis.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 616.0;
/// Height of the panel with lines.
const PANEL: f64 = 220.0;
/// Height of one lane, its name included.
const LANE: f64 = 34.0;
/// Height of a line of the legend.
const ROW: f64 = 18.0;
/// Points of a line that are marked one by one, at most.
const MARKED: usize = 30;
/// Colours that lines have; lines beyond them are told apart by their dashes as well.
const COLOURS: usize = 6;
/// Longest name, in characters.
const NAME: usize = 76;

/// A plot of shares over a threshold.
#[derive(Debug, Clone, Default)]
pub struct Plot {
    /// What it shows, in a few words.
    pub title: String,
    /// The same in a sentence, for those who cannot see it.
    pub description: String,
    /// Name of the x axis.
    pub x_label: String,
    /// Name of the y axis, whose values are shares.
    pub y_label: String,
    /// First and last threshold.
    pub range: (f64, f64),
    /// The lines.
    pub lines: Vec<Line>,
    /// How many more lines there would be.
    pub lines_left_out: usize,
    /// The lanes.
    pub lanes: Vec<Lane>,
    /// How many more lanes there would be.
    pub lanes_left_out: usize,
    /// The values that the policy has, each with the text that marks it.
    pub chosen: Vec<(f64, String)>,
}

/// A line: a share by threshold.
#[derive(Debug, Clone)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// Threshold and share from 0 to 1; `None`: nothing was measured there.
    pub points: Vec<(f64, Option<f64>)>,
    /// Index of its colour, and whether it is dashed.
    pub style: (usize, bool),
}

/// How a gate comes out along a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stretch {
    /// It passes.
    Pass,
    /// Neither.
    Open,
    /// It fails.
    Fail,
}

/// A lane: how one gate comes out along the thresholds.
#[derive(Debug, Clone)]
pub struct Lane {
    /// Its name.
    pub name: String,
    /// How it comes out at each threshold, ascending.
    pub points: Vec<(f64, Stretch)>,
    /// The value that the policy has.
    pub chosen: f64,
}

/// The SVG text of a plot.
#[must_use]
pub fn svg(plot: &Plot) -> String {
    let mut drawing = Drawing { plot, body: String::new(), y: 0.0 };
    drawing.head();
    drawing.panel();
    drawing.legend();
    drawing.lanes();
    let height = drawing.y + 14.0;
    let (title, description) = (escaped(&plot.title), escaped(&plot.description));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height:.0}\" viewBox=\"0 0 {WIDTH} {height:.0}\" \
         role=\"img\" aria-labelledby=\"title description\">\n<title id=\"title\">{title}</title>\n\
         <desc id=\"description\">{description}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height:.0}\"/>\n{}</svg>\n",
        drawing.body
    )
}

const STYLE: &str = "
text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;fill:#1f2328}
.title{font-weight:600;font-size:14px}.quiet{fill:#59636e}.end{text-anchor:end}.middle{text-anchor:middle}
.paper{fill:#fff}.grid{stroke:#d8dee4;stroke-width:1}.axis{stroke:#59636e;stroke-width:1}
.chosen{stroke:#1f2328;stroke-width:1.5;stroke-dasharray:2 3}.mark{fill:#1f2328}
.line{fill:none;stroke-width:2;stroke-linejoin:round}.dashed{stroke-dasharray:6 4}.dotted{stroke-dasharray:2 4}
.c0{stroke:#0757ba}.c1{stroke:#a8470f}.c2{stroke:#136c3b}.c3{stroke:#7a3fb0}.c4{stroke:#8a6d00}.c5{stroke:#b0246a}
.p0{fill:#0757ba}.p1{fill:#a8470f}.p2{fill:#136c3b}.p3{fill:#7a3fb0}.p4{fill:#8a6d00}.p5{fill:#b0246a}
.pass{stroke:#136c3b;stroke-width:8}.open{stroke:#8a6d00;stroke-width:4;stroke-dasharray:4 3}.fail{stroke:#b3261e;stroke-width:2}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.quiet{fill:#9da7b3}.paper{fill:#0d1117}.grid{stroke:#2a313a}.axis{stroke:#9da7b3}
.chosen{stroke:#e6edf3}.mark{fill:#e6edf3}
.c0{stroke:#79b8ff}.c1{stroke:#ffab70}.c2{stroke:#6fdd9b}.c3{stroke:#c9a0ff}.c4{stroke:#e3c04a}.c5{stroke:#ff9bc7}
.p0{fill:#79b8ff}.p1{fill:#ffab70}.p2{fill:#6fdd9b}.p3{fill:#c9a0ff}.p4{fill:#e3c04a}.p5{fill:#ff9bc7}
.pass{stroke:#6fdd9b}.open{stroke:#e3c04a}.fail{stroke:#ff8a80}}
";

/// What is drawn so far, from the top down to `y`.
struct Drawing<'p> {
    plot: &'p Plot,
    body: String,
    y: f64,
}

impl Drawing<'_> {
    fn put(&mut self, text: &str) {
        self.body.push_str(text);
        self.body.push('\n');
    }

    fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        self.put(&format!("<text{class} x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text)));
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.put(&format!("<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"));
    }

    /// Where a threshold lies; a range of one threshold lies in the middle.
    fn x(&self, threshold: f64) -> f64 {
        let (from, to) = self.plot.range;
        let share = if to > from { (threshold - from) / (to - from) } else { 0.5 };
        LEFT + share.clamp(0.0, 1.0) * (RIGHT - LEFT)
    }

    fn head(&mut self) {
        let plot = self.plot;
        self.text("title", 16.0, 26.0, &short(&plot.title, NAME));
        self.text("quiet", 16.0, 46.0, &plot.y_label);
        self.y = 74.0;
    }

    /// The axes with the lines, and the values of the policy across them.
    fn panel(&mut self) {
        let plot = self.plot;
        let (top, bottom) = (self.y, self.y + PANEL);
        for percent in [0u8, 25, 50, 75, 100] {
            let y = bottom - f64::from(percent) / 100.0 * PANEL;
            self.line("grid", (LEFT, y), (RIGHT, y));
            self.text("quiet end", LEFT - 8.0, y + 4.0, &format!("{percent} %"));
        }
        self.line("axis", (LEFT, top), (LEFT, bottom));
        self.x_axis(bottom);
        for line in &plot.lines {
            self.curve(line, bottom);
        }
        self.chosen(top, bottom);
        self.text("middle", (LEFT + RIGHT) / 2.0, bottom + 36.0, &plot.x_label);
        self.y = bottom + 52.0;
    }

    fn x_axis(&mut self, y: f64) {
        self.line("axis", (LEFT, y), (RIGHT, y));
        let (from, to) = self.plot.range;
        for (tick, shown) in ticks(from, to) {
            let x = self.x(tick);
            self.line("axis", (x, y), (x, y + 5.0));
            self.text("quiet middle", x, y + 18.0, &shown);
        }
    }

    fn curve(&mut self, line: &Line, bottom: f64) {
        let (colour, dashed) = line.style;
        let dash = match (dashed, colour >= COLOURS) {
            (true, _) => " dashed",
            (false, true) => " dotted",
            (false, false) => "",
        };
        let colour = colour % COLOURS;
        let place = |x: f64, share: f64| (x, bottom - share.clamp(0.0, 1.0) * PANEL);
        let measured = |point: &&(f64, Option<f64>)| point.1.is_some();
        for part in line.points.split(|(_, share)| share.is_none()) {
            let points = part.iter().filter(measured).map(|&(threshold, share)| {
                let (x, y) = place(self.x(threshold), share.unwrap_or_default());
                format!("{x:.1},{y:.1}")
            });
            let points = points.collect::<Vec<_>>().join(" ");
            if !points.is_empty() {
                self.put(&format!("<polyline class=\"line c{colour}{dash}\" points=\"{points}\"/>"));
            }
        }
        let few = line.points.len() <= MARKED;
        let is_chosen = |threshold: f64| self.plot.chosen.iter().any(|(chosen, _)| (chosen - threshold).abs() < 1e-12);
        for &(threshold, share) in &line.points {
            let Some(share) = share.filter(|_| few || is_chosen(threshold)) else { continue };
            let (x, y) = place(self.x(threshold), share);
            let radius = if is_chosen(threshold) { 4.5 } else { 2.5 };
            self.put(&format!("<circle class=\"p{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>"));
        }
    }

    /// The values that the policy has, each across the panel with its text above.
    fn chosen(&mut self, top: f64, bottom: f64) {
        let mut taken = f64::NEG_INFINITY;
        for (threshold, text) in &self.plot.chosen {
            let x = self.x(*threshold);
            self.line("chosen", (x, top - 6.0), (x, bottom));
            // A text is about 6 pixels a character; one that would run into the last one is left to the lanes.
            #[allow(clippy::cast_precision_loss, reason = "a short text")]
            let half = text.chars().count() as f64 * 3.2;
            let middle = x.clamp(LEFT + half, RIGHT - half);
            if middle - half > taken {
                self.text("middle", middle, top - 10.0, text);
                taken = middle + half + 6.0;
            }
        }
    }

    fn legend(&mut self) {
        let plot = self.plot;
        for line in &plot.lines {
            let (colour, dashed) = line.style;
            let dash = if dashed {
                " dashed"
            } else if colour >= COLOURS {
                " dotted"
            } else {
                ""
            };
            let y = self.y + 8.0;
            self.line(&format!("line c{}{dash}", colour % COLOURS), (LEFT, y), (LEFT + 28.0, y));
            self.text("", LEFT + 38.0, y + 4.0, &short(&line.name, NAME));
            self.y += ROW;
        }
        self.left_out(plot.lines_left_out, "line");
    }

    fn left_out(&mut self, count: usize, what: &str) {
        if count > 0 {
            let s = if count == 1 { "" } else { "s" };
            self.text(
                "quiet",
                LEFT,
                self.y + 12.0,
                &format!("and {count} more {what}{s}, not shown; --format csv has all"),
            );
            self.y += ROW;
        }
    }

    /// The sign of the policy's value, its tip at this place.
    fn mark(&mut self, x: f64, y: f64) {
        self.put(&format!("<path class=\"mark\" d=\"M{x:.1} {y:.1}l5 8h-10z\"/>"));
    }

    fn lanes(&mut self) {
        let plot = self.plot;
        if plot.lanes.is_empty() {
            return;
        }
        self.y += 8.0;
        for lane in &plot.lanes {
            self.text("", LEFT, self.y + 12.0, &short(&lane.name, NAME));
            let y = self.y + 22.0;
            for (from, to, stretch) in stretches(&lane.points) {
                let class = match stretch {
                    Stretch::Pass => "pass",
                    Stretch::Open => "open",
                    Stretch::Fail => "fail",
                };
                let (from, to) = (self.x(from), self.x(to));
                // A range of one threshold is still a line.
                let (from, to) = if to - from < 1.0 { (from - 4.0, to + 4.0) } else { (from, to) };
                self.line(class, (from, y), (to, y));
            }
            let (from, to) = plot.range;
            if (from..=to).contains(&lane.chosen) {
                let x = self.x(lane.chosen);
                self.mark(x, y + 3.0);
            }
            self.y += LANE;
        }
        self.left_out(plot.lanes_left_out, "lane");
        self.y += 10.0;
        self.x_axis(self.y);
        self.y += 36.0;
        let keys = [("pass", "passes", 0.0), ("open", "neither: too few, or no data", 110.0), ("fail", "fails", 330.0)];
        for (class, text, offset) in keys {
            let x = LEFT + offset;
            self.line(class, (x, self.y), (x + 28.0, self.y));
            self.text("quiet", x + 38.0, self.y + 4.0, text);
        }
        let x = LEFT + 420.0;
        self.mark(x, self.y - 4.0);
        self.text("quiet", x + 14.0, self.y + 4.0, "the policy's value");
        self.y += 8.0;
    }
}

/// The stretches of a lane: where it comes out alike from one threshold to the next, and the change in the middle between two that do not.
pub(super) fn stretches(points: &[(f64, Stretch)]) -> Vec<(f64, f64, Stretch)> {
    let mut stretches: Vec<(f64, f64, Stretch)> = Vec::new();
    for &(at, stretch) in points {
        match stretches.last_mut() {
            Some((_, end, last)) if *last == stretch => *end = at,
            Some((_, end, _)) => {
                let middle = f64::midpoint(*end, at);
                *end = middle;
                stretches.push((middle, at, stretch));
            }
            None => stretches.push((at, at, stretch)),
        }
    }
    stretches
}

/// Round values from `from` to `to`, about six of them, as they are written.
pub(super) fn ticks(from: f64, to: f64) -> Vec<(f64, String)> {
    const STEPS: [f64; 4] = [1.0, 2.0, 2.5, 5.0];
    let width = to - from;
    if width <= 0.0 || !width.is_finite() {
        return vec![(from, format!("{from}"))];
    }
    let rough = width / 6.0;
    let power = rough.log10().floor();
    let unit = 10f64.powf(power);
    let step = STEPS.iter().map(|step| step * unit).find(|step| *step >= rough * 0.999_999).unwrap_or(10.0 * unit);
    let first = (from / step - 1e-9).ceil();
    // 2.5 needs a digit more than its power of ten.
    let digits = (0..=19).find(|digits| {
        let scaled = step * 10f64.powi(*digits);
        (scaled - scaled.round()).abs() < 1e-6 * scaled
    });
    let digits = usize::try_from(digits.unwrap_or(19)).unwrap_or(19);
    let mut ticks = Vec::new();
    for index in 0..=12 {
        let tick = (first + f64::from(index)) * step;
        if tick > to + step * 1e-9 {
            break;
        }
        ticks.push((tick, format!("{:.digits$}", tick.abs())));
    }
    ticks
}

/// A text for an XML document: nothing that hides, steers or is illegal, and no markup.
fn escaped(text: &str) -> String {
    let text = super::visible::one_line(text);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => {
                let _ = write!(out, "{c}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot() -> Plot {
        Plot {
            title: "rule scores".to_owned(),
            x_label: "min_recall".to_owned(),
            range: (0.0, 1.0),
            lines: vec![Line {
                name: "run".to_owned(),
                points: vec![(0.0, Some(1.0)), (0.5, None), (1.0, Some(0.5))],
                style: (0, false),
            }],
            chosen: vec![(0.5, "policy: 0.5".to_owned())],
            ..Plot::default()
        }
    }

    #[test]
    fn ticks_are_round_and_written_shortly() {
        let texts = |from, to| ticks(from, to).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(0.0, 0.15), ["0.000", "0.025", "0.050", "0.075", "0.100", "0.125", "0.150"]);
        assert_eq!(texts(0.9, 1.0), ["0.90", "0.92", "0.94", "0.96", "0.98", "1.00"]);
        assert_eq!(texts(0.0, 60.0), ["0", "10", "20", "30", "40", "50", "60"]);
        assert_eq!(texts(0.5, 0.5), ["0.5"]);
    }

    #[test]
    fn a_lane_changes_half_way_between_two_thresholds() {
        let points = [(0.0, Stretch::Fail), (0.1, Stretch::Fail), (0.2, Stretch::Pass), (0.3, Stretch::Pass)];
        let found = stretches(&points);
        assert_eq!(found.len(), 2);
        assert!((found[0].1 - 0.15).abs() < 1e-12 && (found[1].0 - 0.15).abs() < 1e-12);
        assert_eq!((found[0].2, found[1].2), (Stretch::Fail, Stretch::Pass));
    }

    #[test]
    fn lines_break_where_nothing_was_measured() {
        let text = svg(&plot());
        assert_eq!(text.matches("<polyline").count(), 2);
        // 0 and 1 are the ends of the axis, 100 % its top and 50 % the middle of the panel.
        assert!(text.contains("points=\"56.0,74.0\"") && text.contains("points=\"616.0,184.0\""), "{text}");
        assert!(text.contains("policy: 0.5"));
    }

    #[test]
    fn hostile_names_stay_text() {
        let mut plot = plot();
        plot.title = "<script>alert(1)</script> & \"x\" '\u{202e}\u{0}".to_owned();
        plot.lines[0].name = "]]><image href=x>".to_owned();
        let text = svg(&plot);
        assert!(!text.contains("<script") && !text.contains("<image"), "{text}");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot; &#39;"));
    }
}
