import { useContext } from 'hono/jsx';
import { Prose } from '../components/prose.tsx';
import { Sent } from '../components/sent-form.ts';
import type { Page } from '../page.ts';
import { useTexts } from '../texts/languages.ts';
import { check } from './check.tsx';

/** Pasted IVMS101, checked against the standard of 2020. */
export const ivms101: Page = {
  path: '/ivms101',
  title: 'IVMS101',
  group: 'Test',
  isLive: false,
  actions: { check },
  async render({ texts }) {
    return (
      <>
        <p>
          <Prose of={texts.ivms101.intro} />
        </p>
        <form method="post" action="/console/ivms101/check">
          <Payload />
          <button type="submit">{texts.ivms101.check}</button>
        </form>
      </>
    );
  },
};

const Payload = () => {
  const { values, errors } = useContext(Sent);
  return (
    <>
      <textarea
        class="code"
        name="payload"
        aria-label={useTexts().ivms101.payload}
        rows={20}
        required
        spellcheck={false}
        aria-invalid={errors.payload === undefined ? undefined : 'true'}
      >
        {values.payload ?? ''}
      </textarea>
      {errors.payload === undefined ? null : <small class="field-error">{errors.payload}</small>}
    </>
  );
};
