/** A shortened verificationUuid with a link to its page. */
export const VerificationLink = ({ uuid }: { uuid: string | null }) =>
  uuid === null ? (
    <span class="muted">–</span>
  ) : (
    <a class="code" href={`/console/verifications/${uuid}`} title={uuid}>
      {uuid.slice(0, 8)}
    </a>
  );
