import type { DescribedScope } from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { usePerson } from '../../environment.ts';
import { AttributesField } from '../../forms/attributes-field.tsx';
import { ContactSection } from '../../forms/contact-section.tsx';
import { DurationField } from '../../forms/duration-field.tsx';
import { LinesField, SwitchField, TextField } from '../../forms/fields.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import { ScopeBoxes } from '../../forms/scope-boxes.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import type { TypedClient } from '../../rules/typed-client.ts';

interface ClientFormProps {
  readonly form: RecordForm<TypedClient>;
  /** What its resource server offers. */
  readonly scopes: readonly DescribedScope[];
  readonly isDisabled?: boolean;
  /** These pages depend on all but what describes it. */
  readonly isSystem?: boolean;
  /** Above the fields: what kind of client a new one is. */
  readonly kinds?: ReactNode;
  /** What becomes of its secret when this is saved. */
  readonly secretNote?: ReactNode;
  readonly children: ReactNode;
}

export function ClientForm({
  form,
  scopes,
  isDisabled = false,
  isSystem = false,
  kinds,
  secretNote,
  children,
}: ClientFormProps) {
  const { isAdministrator } = usePerson();
  const isKept = isDisabled || isSystem;
  const { confidential, allowedImplicitGrant } = form.values;
  return (
    <form className="form" noValidate onSubmit={form.submit}>
      {kinds}
      <FormSection title="The application" lead="People see its name when they are asked for consent.">
        <TextField
          form={form}
          name="clientName"
          hint="Its clientId is made from it, and never changes."
          isRequired
          isDisabled={isKept}
        />
        <TextField form={form} name="description" isLong isDisabled={isDisabled} />
      </FormSection>
      <FormSection title="What it may do" lead="As little as it needs.">
        <ScopeBoxes
          hint="What this client may be given, of what its API offers."
          available={scopes.map(({ name }) => name)}
          described={scopes}
          chosen={form.values.scopes}
          problems={form.problemsOf('scopes')}
          isDisabled={isKept}
          onChange={(chosen) => form.set('scopes', chosen)}
        />
        <DurationField form={form} isDisabled={isKept} />
      </FormSection>
      <FormSection
        title="How it gets tokens"
        lead={
          confidential
            ? 'It is confidential: it authenticates with a secret.'
            : 'It is public: it has no secret, and uses PKCE for its codes.'
        }
      >
        <SwitchField
          form={form}
          name="confidential"
          hint="It can keep a secret. An application in a browser or on a device cannot."
          isDisabled={isKept}
        />
        {secretNote}
        <SwitchField
          form={form}
          name="allowedClientCredentials"
          hint="It can act for itself, without a user."
          isDisabled={isKept}
        />
        <LinesField
          form={form}
          name="redirectUris"
          hint="The addresses to which users return with a code, one per line. They are compared character by character, except for the port on a loopback host. Each must be https, http on a loopback host, or have a private-use scheme such as com.example.app."
          placeholder="https://app.example.com/callback"
          isDisabled={isKept}
        />
        <SwitchField
          form={form}
          name="useRefreshTokens"
          hint="It gets new tokens while the user is away."
          isDisabled={isKept}
        />
        <SwitchField
          form={form}
          name="allowedImplicitGrant"
          hint="For public clients that cannot use codes yet. Codes with PKCE are safer."
          isDisabled={isKept}
        />
        {allowedImplicitGrant && <SwitchField form={form} name="includePrincipal" isDisabled={isKept} />}
        {isAdministrator && (
          <SwitchField
            form={form}
            name="skipConsent"
            hint="For your own applications: users are not asked for consent. Only administrators can set it. It ends when another user changes a trusted field."
            isDisabled={isKept}
          />
        )}
      </FormSection>
      <ContactSection form={form} isDisabled={isDisabled}>
        <AttributesField form={form} isDisabled={isKept} />
      </ContactSection>
      {children}
    </form>
  );
}
