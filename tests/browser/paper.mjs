// What stands on each page of a PDF that Chromium printed.
import { inflateSync } from "node:zlib";

/** The text of every page, without any white space: letters stand on paper one by one, and nothing says which belong together. */
export function pages(pdf) {
  const objects = new Map();
  const source = pdf.toString("latin1");
  for (const found of source.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) objects.set(found[1], found[2]);
  const letters = new Map([...objects].filter(([, body]) => /\/ToUnicode/.test(body)).map(([id, body]) => [id, map(stream(objects.get(/\/ToUnicode (\d+)/.exec(body)[1])))]));
  return [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body)).map((body) => {
    const fonts = new Map([...body.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [name, letters.get(id)]));
    return text(stream(objects.get(/\/Contents (\d+)/.exec(body)[1])), fonts).replace(/\s+/g, "");
  });
}

function stream(body) {
  const start = body.indexOf("stream\n") + 7;
  const bytes = Buffer.from(body.slice(start, body.lastIndexOf("\nendstream")), "latin1");
  return (/\/FlateDecode/.test(body.slice(0, start)) ? inflateSync(bytes) : bytes).toString("latin1");
}

/** Which text each glyph stands for. */
function map(cmap) {
  const glyphs = new Map();
  const utf16 = (hex) => Buffer.from(hex, "hex").swap16().toString("utf16le");
  for (const [, block] of cmap.matchAll(/beginbfchar\n([\s\S]*?)endbfchar/g)) {
    for (const [, from, to] of block.matchAll(/<(\w+)> <(\w+)>/g)) glyphs.set(parseInt(from, 16), utf16(to));
  }
  for (const [, block] of cmap.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g)) {
    for (const [, first, last, to] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      for (let at = parseInt(first, 16); at <= parseInt(last, 16); at += 1) {
        glyphs.set(at, String.fromCodePoint(parseInt(to, 16) + at - parseInt(first, 16)));
      }
    }
  }
  return glyphs;
}

function text(content, fonts) {
  let out = "", font;
  for (const [, name, hex] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
    if (name) font = fonts.get(name);
    else if (hex) for (const glyph of hex.match(/.{4}/g) ?? []) out += font?.get(parseInt(glyph, 16)) ?? "";
  }
  return out;
}
