export default async ({ settings, services: { clock }, authenticator }) => {
  const inner = await authenticator('password');
  const isOpen = () => settings.hours.includes(new Date(clock.now()).getUTCHours());
  return {
    ...inner,
    async resume(context, submission) {
      const step = await inner.resume(context, submission);
      if (step.type !== 'authenticated' || step.principal.adminPrincipal || isOpen()) return step;
      return { type: 'refused', description: 'Only administrators can log in at this hour.' };
    },
  };
};
