import { storeConformance } from '@watchword/testkit';
import { sharedStore } from '../support/shared-store.ts';

storeConformance(
  'PostgreSQL',
  sharedStore(() => 'postgresql-conformance', 'postgresql'),
  [7],
);
