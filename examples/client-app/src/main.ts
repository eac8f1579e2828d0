import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSite } from './site.ts';

const {
  PORT = '8081',
  WATCHWORD_URL = 'http://localhost:8080',
  API_URL = 'http://127.0.0.1:8082',
  CLIENT_ID = 'notes-app',
} = process.env;

const site = createServer(createSite({ issuer: WATCHWORD_URL, clientId: CLIENT_ID, apiUrl: API_URL }));
site.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`The app is at http://127.0.0.1:${(site.address() as AddressInfo).port}`);
});
