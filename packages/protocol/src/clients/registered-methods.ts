import { isPublicClient } from '../model/client.ts';
import { isClient, type RegisteredCaller } from './authentication-method.ts';

const secretMethods = ['client_secret_basic', 'client_secret_post'];
const publicMethods = ['none'];

/** Names of the methods by which the caller can authenticate, derived from its registration. */
export function registeredMethods(caller: RegisteredCaller): readonly string[] {
  return isClient(caller) && isPublicClient(caller) ? publicMethods : secretMethods;
}
