/** Site files for tests, as they would be written. */
import { assembleSite, type LoadedSite } from '../../shared/config/load.ts';

const elastic = { providers: ['burst'], maxBorrowed: 24, returnAfter: '10m', linger: '0s' };
const offer = { capacity: 64, block: 1, minimumHold: '0s', partialReturns: true, costPerTokenHour: 1 };

/** One resource, 8 owned, one provider: changes go into what the site wants and into what the provider offers. */
export function smallSite(wants: object = {}, offers: object = {}): LoadedSite {
  return assembleSite({
    site: 'lab',
    providers: [{ name: 'burst', kind: 'pool', offers: { hfsshpc: { ...offer, ...offers } } }],
    resources: { hfsshpc: { shared: true, total: 8, elastic: { ...elastic, ...wants } } },
  });
}

/** The same with a second provider, `vendor`, asked after `burst`. */
export function siteWithTwoProviders(wants: object, burst: object, vendor: object): LoadedSite {
  return assembleSite({
    site: 'lab',
    providers: [
      { name: 'burst', kind: 'pool', offers: { hfsshpc: { ...offer, ...burst } } },
      { name: 'vendor', kind: 'pool', offers: { hfsshpc: { ...offer, ...vendor } } },
    ],
    resources: {
      hfsshpc: { shared: true, total: 8, elastic: { ...elastic, providers: ['burst', 'vendor'], ...wants } },
    },
  });
}
