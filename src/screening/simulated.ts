import type { ScreeningData } from './load.ts';
import type { Screening } from './port.ts';
import { simulatedKyt } from './simulated-kyt.ts';
import type { Simulation } from './simulated-provider.ts';
import { simulatedSanction } from './simulated-sanction.ts';
import { simulatedWco } from './simulated-wco.ts';

/** Both providers, offline. The same data and the same request always give the same finding. */
export const simulatedScreening = (
  data: ScreeningData,
  simulation: Omit<Simulation, 'outages'>,
): Screening => {
  const sim = { ...simulation, outages: data.outages };
  return {
    sanction: simulatedSanction(data.sanctions, sim),
    kyt: simulatedKyt(data.monitoring, data.sanctions, sim),
    wco: simulatedWco(data.watchList, sim),
  };
};
