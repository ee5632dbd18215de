/** The lease whose epoch fences total updates. One owner a site: a total sums over all providers. */
export const totalsLease = 'elastic-shared-resources';
