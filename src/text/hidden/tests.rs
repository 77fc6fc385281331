use super::*;

/// What is left of a text for its reader, with single spaces.
fn read(text: &str) -> String {
    let shown = shown(text).unwrap_or_else(|| text.to_owned());
    assert_eq!(shown.len(), text.len(), "{text:?}");
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_no_reader_sees_is_left_out() {
    for hidden in [
        "<!-- 400 mg -->",
        "<!-- a -- b\n\n400 mg --!>",
        "<p hidden>400 mg</p>",
        "<P HIDDEN>400 mg</P>",
        "<span style=\"display:none\">400 mg</span>",
        "<span style='Display : NONE !important'>400 mg</span>",
        "<span style=display:none>400 mg</span>",
        "<span style=\"display/* a */:none\">400 mg</span>",
        "<span\nclass='a'\nstyle=\"color:red;visibility:hidden\">400 <b>mg</b></span>",
        "<i style='font-size:0'>400 mg</i>",
        "<i style='font-size:1px'>400 mg</i>",
        "<i style='font:0/0 a'>400 mg</i>",
        "<i style='opacity:.0'>400 mg</i>",
        "<i style='position:absolute;left:-9999px'>400 mg</i>",
        "<i style='text-indent:-9999px'>400 mg</i>",
        "<div style='height:0;overflow:hidden'>400 mg</div>",
        "<font color=\"white\">400 mg</font>",
        "<font color=#FFF>400 mg</font>",
        "<span style=\"color:#fefefe\">400 mg</span>",
        "<span style=\"color:rgb(255, 255, 255)\">400 mg</span>",
        "<span style=\"color:rgba(0,0,0,0)\">400 mg</span>",
        "<span style=\"color:hsl(0,0%,100%)\">400 mg</span>",
        "<span style=\"color:transparent\">400 mg</span>",
        "<span style=\"color:teal;background:teal\">400 mg</span>",
        "<div style=\"background:#000\"><b style=\"color:black\">400 mg</b></div>",
        "<template>400 mg</template>",
        "<script>let a = \"</span>\"; // 400 mg</script>",
        "<style>.a { content: \"400 mg\" }</style>",
        "<dialog>400 mg</dialog>",
        "<span class=\"sr-only\">400 mg</span>",
        "<del>400 mg</del>",
        "<s>400 mg</s>",
        "<strike>400 mg</strike>",
        "<span style=\"text-decoration: line-through\">400 mg</span>",
        "~~400 mg~~",
        "~400 mg~",
        "{--400 mg--}",
        "{>>400 mg<<}",
        "{{!-- 400 mg --}}",
        "$\\phantom{400 mg}$",
        "$\\textcolor{white}{400 mg}$",
        "<map><area alt=\"400 mg a day\"></map>",
        "\n[//]: # (400 mg)\n",
        "\n[//]: # \"400 (mg)\"\n",
        "\n[comment]: <> (400 mg)\n",
        "\n  [_]: # 'over\nlines 400 mg'\n",
        "<div hidden><div>400 mg</div> and more</div>",
        "<div><span hidden>400 mg</div>",
        "<span hidden><span>400</span> mg</span>",
    ] {
        assert!(!read(&format!("It is 900 mg. {hidden}\n\nRest.")).contains("400"), "{hidden}");
        assert!(read(&format!("It is 900 mg. {hidden}\n\nRest.")).contains("900 mg."), "{hidden}");
        assert!(read(&format!("It is 900 mg. {hidden}\n\nRest.")).ends_with("Rest."), "{hidden}");
    }
}

#[test]
fn what_a_reader_sees_stays() {
    for text in [
        "a < b and the hidden cost > 5",
        "<p>the hidden cost</p>",
        "<td style=\"overflow: hidden; font-size:0.9em\">160 cm</td>",
        "<svg aria-hidden=\"false\"></svg>",
        "<b aria-hidden=true>160 cm</b>",
        "<span style=\"color:white;background:navy\">160 cm</span>",
        "<div style=\"background-color:#003\"><b style='color:#fff'>160 cm</b></div>",
        "<span style=\"visibility:hidden\"></span>",
        "`<span hidden>160 cm</span>`",
        "```html\n<span hidden>160 cm</span>\n```",
        "\\<span hidden>160 cm",
        "about ~30 mg and ~40 mg, 10~20",
        "\\~~160~~",
        "see [the list](https://kb.example/a) and [1]: a",
        "[1]: https://kb.example/exports",
        "[ev_1]: The maximum dose is 900 mg per day.",
        "[^1]: # (a footnote)",
        "<https://kb.example/hidden> <cite id=\"ev_1, ev_2, ev_3, ev_4\">x</cite>",
        "5 <6 hidden> 3",
    ] {
        let stays = read(text);
        if text.contains("visibility") {
            continue;
        }
        assert_eq!(stays, text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}

#[test]
fn what_an_inner_element_shows_again_is_read() {
    for text in [
        "<div style=\"visibility:hidden\">400 <b style=\"visibility:visible\">900</b></div>",
        "<div style=\"font-size:0\">400 <b style=\"font-size:12px\">900</b></div>",
        "<div style=\"color:white\">400 <b style=\"color:black\">900</b></div>",
        "<div style=\"color:#fff\">400 <b style=\"background:#036\">900</b></div>",
        "<!--> 900 <!-- 400 -->",
        "<span hidden>400\n\n900",
        "<div><p hidden>400<p>900</div>",
        "<ul><li hidden>400<li>900</ul>",
        "~~400\n\n900~~",
    ] {
        assert!(read(text).contains("900"), "{text}: {}", read(text));
    }
    assert!(!read("<div style=\"display:none\">400 <b style=\"display:block\">900</b></div>").contains("900"));
}

#[test]
fn titles_and_attributes_are_no_text() {
    assert_eq!(
        read("[the list](https://kb.example \"400 mg\") is long"),
        "[the list](https://kb.example \" \") is long"
    );
    assert!(!read("<span title=\"It is 400 mg\">dose</span>").contains("400"));
    assert!(!read("<span data-note='The dose is 400 mg'>dose</span>").contains("400"));
    assert!(read("<img alt=\"The dose is 900 mg\">").contains("900"));
}

#[test]
fn an_answer_of_markup_alone_is_blank() {
    for text in [
        "",
        " \n",
        "-",
        "…",
        "<br>",
        "&nbsp; &#160;",
        "\u{200b}\u{3164}",
        "```python\n```",
        "**",
        "<p></p>",
        "---",
        "👍",
    ] {
        assert!(is_blank(text), "{text:?}");
    }
    for text in ["N/A", "42", "「はい」", "<b>No.</b>", "&lt;", "```\nls\n```", "[a]"] {
        assert!(!is_blank(text), "{text:?}");
    }
}

#[test]
fn hostile_texts_take_linear_time_and_cut_no_character() {
    for unit in [
        "<",
        "<a",
        "<a ",
        "<a \"",
        "<a=\"",
        "<!--",
        "<!-",
        "~~",
        "~",
        "~~a",
        "](",
        "](a \"",
        "]:",
        "\n[a]: # (",
        "<span hidden>",
        "<span hidden>\n\n",
        "<p hidden>",
        "</span>",
        "é<b hidden>é",
        "<div><i hidden>",
        "<a b=c d='e\">",
        "\n[a]: <> (é",
        "<!x",
        "<s>~~`",
    ] {
        let text = unit.repeat(5_000);
        let _ = read(&text);
        let _ = is_blank(&text);
    }
}

#[test]
fn letters_and_digits_of_any_script_are_readable() {
    for text in
        ["a", "7", "  ж", "語", "ก", "½", "…9", "<b>x</b>", "a < b", "<5 mg", "&amp;c", "<https://a.example>", "⠓"]
    {
        assert!(is_readable(text), "{text}");
    }
    for text in ["<img src=x alt=\"Retention by plan\">", "```30 days```", "![a plan](p.png)"] {
        assert!(is_readable(text), "{text}");
    }
}

#[test]
fn blanks_signs_and_empty_markup_are_not_readable() {
    for text in ["", " \n\t", "\u{200b}\u{feff}", "\u{a0}", "**", "-", "#", "…", "❓", "<br>", "<p></p>"] {
        assert!(!is_readable(text), "{text:?}");
    }
    for text in ["<br/> &nbsp; <div class=\"x\">", "<!-- Logs stay 30 days -->", "<!-- unended", "\u{3164}", "\u{2800}"]
    {
        assert!(!is_readable(text), "{text:?}");
    }
    for text in ["<", "&", "&&<<>>", "<p hidden>30 days</p>", "~~30 days~~", "```rust\n```"] {
        assert!(!is_readable(text), "{text:?}");
    }
}
