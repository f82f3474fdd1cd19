import { Marked, type Tokens } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { withClauseLinks } from '../contract/clauses.ts';

/** A cell of at most this length, such as an id or a date, stays in one line. */
const SHORT_CELL = 12;

/** HTML of a chapter. `base`: address of the guide in the language. The text is ours, so it is not sanitised. */
export function toHtml(text: string, base: string): string {
  const html = new Marked(gfmHeadingId(), {
    // `0.001~0.002 … 1~6` is no deleted text.
    tokenizer: { del: () => undefined },
    renderer: {
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href, base);
        return target === undefined ? inner : `<a href="${target.replaceAll('"', '%22')}">${inner}</a>`;
      },
      // On a phone the cells of a row stand below each other: behind the first, each says what it is.
      table({ header, rows }: Tokens.Table) {
        const inner = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const nameOf = (column: number) =>
          header.length > 2 && column > 0 ? ` data-head="${header[column]!.text.replaceAll(/[`"]/g, '')}"` : '';
        const classOf = ({ text }: Tokens.TableCell) => (text.length > SHORT_CELL ? '' : ' class="together"');
        const head = header.map(cell => `<th${classOf(cell)}>${inner(cell)}</th>`).join('');
        const body = rows.map(
          row =>
            `<tr>${row.map((cell, column) => `<td${nameOf(column)}${classOf(cell)}>${inner(cell)}</td>`).join('')}</tr>`,
        );
        return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
      },
    },
  })
    .parse(text, { async: false })
    // A long line of code scrolls, by keys too; so does a wide table.
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return withClauseLinks(html, `${base}/clauses`);
}

/** The served address of a link: chapters lead to chapters, and files of the repository are not served. */
function targetOf(href: string, base: string): string | undefined {
  if (href.endsWith('src/contract/clauses.md')) return `${base}/clauses`;
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [, chapter, anchor = ''] = /^(?:\.\.\/)?([a-z\d-]+)\.md(#.*)?$/.exec(href) ?? [];
  return chapter === undefined ? undefined : `${base}/${chapter}${anchor}`;
}
