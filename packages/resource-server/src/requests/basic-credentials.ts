import { platform } from '../platform/platform.ts';

/** `Authorization` of HTTP Basic; both parts form-urlencoded within it (RFC 6749 §2.3.1). */
export function basicCredentials(id: string, secret: string): string {
  // What encodeURIComponent gives is ASCII and means the same to a form decoder.
  return `Basic ${platform.btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`;
}
