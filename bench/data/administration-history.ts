import { type RowWriter, timeOrderedBytes } from './database-rows.ts';

/** The identity provider of all users here, but for the local accounts. */
export const identityProvider = 'any-person';
const hourMs = 3_600_000;

export interface AuditedServers {
  readonly auditEvents: number;
  readonly resourceServers: number;
  /** Record id. */
  readonly firstServer: number;
  /** Name of the owner of the resource server with this index. */
  ownerOf(index: number): string;
}

export function writeAuditLog(
  write: RowWriter,
  { auditEvents, resourceServers, firstServer, ownerOf }: AuditedServers,
  now: number,
): void {
  for (let index = 0; index < auditEvents; index += 1) {
    const moment = now - 24 * hourMs + Math.floor((index / auditEvents) * 24 * hourMs);
    const server = index % resourceServers;
    write('audit_event', {
      id: timeOrderedBytes(moment),
      occurred_at: moment,
      actor_identity_provider: identityProvider,
      actor_name: ownerOf(server),
      client_id: 'authorization-server-admin-js-client',
      source_address: '127.0.0.1',
      event_action: 'update',
      record_type: 'resourceServer',
      record_id: String(firstServer + server),
      record_name: `service-${server + 1}`,
      owner_identity_provider: identityProvider,
      owner_name: ownerOf(server),
      state_before: '{"description":""}',
      state_after: '{"description":"One of many services."}',
    });
  }
}

/** A month in which 200 resource servers had tokens issued in every hour, by two grants. */
export function writeCounts(write: RowWriter, firstServer: number, now: number): void {
  const hour = Math.floor(now / hourMs);
  const servers = [0, ...Array.from({ length: 200 }, (_, index) => firstServer + index)];
  for (const resource_server_id of servers) {
    for (let back = 743; back >= 0; back -= 1) {
      for (const grant_type of ['authorization_code', 'client_credentials']) {
        write('issued_by_hour', {
          resource_server_id,
          epoch_hour: hour - back,
          grant_type,
          tokens: 1 + (back % 7),
        });
      }
    }
  }
}

/** One in ten has no password yet, one in a hundred is disabled. */
export function writeAccounts(write: RowWriter, accounts: number, now: number): void {
  for (let index = 0; index < accounts; index += 1) {
    write('account', {
      id: `account-${index}`,
      username: `person-${index}`,
      password_hash: index % 10 === 0 ? null : '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA',
      display_name: `Person ${index}`,
      role_names: '[]',
      group_names: '["staff"]',
      admin_principal: 0,
      disabled: Number(index % 100 === 0),
      creation_date: now,
      revision: 1,
      reset_digest: null,
      reset_expires: null,
    });
  }
}
