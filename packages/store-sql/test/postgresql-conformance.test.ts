import { storeConformance } from '@watchword/testkit';
import { postgresqlServer } from '@watchword/testkit/postgresql';
import { openPostgresqlServerStore } from '../src/index.ts';

storeConformance('PostgreSQL', async (clock) => {
  const server = await postgresqlServer();
  const database = await server.createDatabase();
  const store = await openPostgresqlServerStore({ url: database.url, clock });
  return {
    ...store,
    async close() {
      await store.close();
      await database.drop();
    },
  };
});
