import { JsonInput } from '../components/json-input.tsx';
import { Prose } from '../components/prose.tsx';
import type { Page } from '../page.ts';
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
          <JsonInput name="payload" label={texts.ivms101.payload} rows={20} text="" />
          <button type="submit">{texts.ivms101.check}</button>
        </form>
      </>
    );
  },
};
