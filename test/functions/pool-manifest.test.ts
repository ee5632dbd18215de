import { expect, it } from 'vitest';
import { poolFunction } from '../../functions/pool-manifest.ts';
import { providerDocument } from '../../shared/contracts/openapi-provider.ts';

it('has a route for each operation of the provider contract, all behind IAM', () => {
  const operations = Object.entries(providerDocument().paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(poolFunction.routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(operations.toSorted());
  expect(new Set(poolFunction.routes.map(({ authentication }) => authentication))).toEqual(new Set(['platform']));
});
