/** The secrets that a flow needs, by the environment variables that have them. */
export const secretVariables = {
  client: 'WATCHWORD_DOCTOR_CLIENT_SECRET',
  password: 'WATCHWORD_DOCTOR_PASSWORD',
  resourceServer: 'WATCHWORD_DOCTOR_RESOURCE_SERVER_SECRET',
} as const;

export type SecretName = keyof typeof secretVariables;

export interface Secrets extends Disposable {
  /** Finds a secret, or asks for it once at a terminal. `undefined` if there is none. @param owner for the question */
  find(name: SecretName, owner: string): Promise<string | undefined>;
}
