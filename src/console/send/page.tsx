import type { Page } from '../page.ts';
import { Menu } from './menu.tsx';
import { advance, send as perform } from './perform.tsx';
import { prepare } from './prepare.ts';
import { RequestForm } from './request-form.tsx';

/** Ready-made requests of a tested VASP: `?action=`, `?scenario=` or `?user=`, and `&symbol=`. */
export const send: Page = {
  path: '/send',
  title: 'Send',
  group: 'Test',
  home: 'both',
  isLive: false,
  actions: { send: perform, advance },
  async render({ api, query, origin, isSignedIn }) {
    const [prepared, { scenarios }] = await Promise.all([prepare(api, query), api.scenarios()]);
    const current = prepared.scenario?.id ?? prepared.actionId;
    return (
      <div class="send">
        <Menu scenarios={scenarios} current={current} />
        <RequestForm {...{ prepared, query, origin, isSignedIn }} />
      </div>
    );
  },
};
