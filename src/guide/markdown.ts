import { Marked, type Tokens } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';

const markdown = new Marked(gfmHeadingId(), {
  renderer: {
    link({ href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens);
      const target = targetOf(href);
      return target === undefined ? text : `<a href="${target.replaceAll('"', '%22')}">${text}</a>`;
    },
  },
});

/** HTML of a chapter. The text is ours, so it is not sanitised. */
export const toHtml = (text: string): string => markdown.parse(text, { async: false });

/** HTML of one sentence with `code`. */
export const toInlineHtml = (text: string): string => markdown.parseInline(text, { async: false });

/** The served address of a link: chapters lead to chapters, and files of the repository are not served. */
function targetOf(href: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [, chapter, anchor = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  return chapter === undefined ? undefined : `/guide/${chapter}${anchor}`;
}
