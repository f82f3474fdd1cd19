import type { Page } from '../page.ts';

export const overview: Page = {
  path: '',
  title: 'Overview',
  inNavigation: true,
  isLive: true,
  async render({ api }) {
    const { robot, vasp } = await api.info();
    return (
      <p>
        {vasp.name} tests against {robot.name}.
      </p>
    );
  },
};
