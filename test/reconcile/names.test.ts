import { expect, it } from 'vitest';
import { assembleSite } from '../../shared/config/load.ts';
import { nothingBorrowed } from '../promises/8-it-ends.ts';
import { Lab } from './lab.ts';

it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
  'a resource and a provider may have the name of what every object has: %s',
  async (name) => {
    const offer = { capacity: 64, minimumHold: '0s', costPerTokenHour: 1 };
    const elastic = { providers: [name], maxBorrowed: 24, returnAfter: '10m', linger: '0s' };
    const lab = new Lab(
      assembleSite({
        site: 'lab',
        providers: [{ name, kind: 'pool', offers: { [name]: offer } }],
        resources: { [name]: { shared: true, total: 8, elastic } },
      }),
    );
    await lab.minutes(2);
    await lab.world.submit([{ submit: lab.now, needs: { [name]: 20 }, runSeconds: 300 }]);
    await lab.world.settle();
    expect(lab.total(name)).toBe(20);
    await lab.minutes(20);
    nothingBorrowed(await lab.look(), lab.site.policy);
    await lab.replayed();
  },
);
