import { useContext } from 'hono/jsx';
import { inLanguage, LANGUAGES, nameOf, PageLanguage, useTexts } from '../texts/languages.ts';

/** Links to the same page in every other language. `here`: address of the page with its query. */
export const LanguageSwitch = ({ here }: { here: string }) => {
  const current = useContext(PageLanguage);
  return (
    <nav class="languages" aria-label={useTexts().frame.language}>
      {LANGUAGES.filter(each => each !== current).map(each => (
        <a href={inLanguage(here, each)} lang={each} hreflang={each}>
          {nameOf(each)}
        </a>
      ))}
    </nav>
  );
};
