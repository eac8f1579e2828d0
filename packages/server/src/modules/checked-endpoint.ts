import type { ModuleEndpoint } from '@watchword/protocol';

const maxBodyLimit = 512 * 1024;

/** Holds an address of a module to its contract. @throws TypeError, while the module is loaded */
export function checkedEndpoint(endpoint: ModuleEndpoint): ModuleEndpoint {
  const { path, method, bodyLimit = 0 } = endpoint;
  if (!/^(?:\/[a-z0-9][a-z0-9.-]*)+$/.test(path)) {
    throw new TypeError(
      `an address of a module is a path such as /saml/acs, and not ${JSON.stringify(path)}`,
    );
  }
  if (method !== 'GET' && method !== 'POST') {
    throw new TypeError(`the address ${path} of a module answers GET or POST, and not ${String(method)}`);
  }
  if (!Number.isSafeInteger(bodyLimit) || bodyLimit < 0 || bodyLimit > maxBodyLimit) {
    throw new TypeError(`the address ${path} of a module takes bodies of at most ${maxBodyLimit} bytes`);
  }
  return endpoint;
}
