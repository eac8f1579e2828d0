// Makes the empty database of the built package, so that no start of it has to migrate one (src/dialects/sqlite/empty-database.ts).
import { writeFileSync } from 'node:fs';
import { emptyDatabase } from './dist/empty-database.js';

const made = JSON.stringify(await emptyDatabase());
writeFileSync(
  'dist/empty-database.js',
  `const made = ${made};\nexport const emptyDatabase = async () => made;\n`,
);
