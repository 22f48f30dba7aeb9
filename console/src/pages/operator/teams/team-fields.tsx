// The fields of a team's settings, each with its meaning.
import type { Team } from "../../../api/operator/types.ts";
import { Field } from "../../../parts/form.tsx";
import { CAP_SETTINGS, LIMIT_SETTINGS, numberAt } from "./team-changes.ts";
import { DELIVERY_METHODS } from "../delivery-methods.ts";

const MOST = 1_000_000_000;
const RETENTIONS = [3, 7, 30];

export function TeamFields({ team }: { readonly team: Team }) {
  return (
    <>
      <div className="settings">
        <Field label="Name" name="name" required maxLength={200} defaultValue={team.name} />
        <label className="field">
          Subscription
          <select name="subscription" defaultValue={team.subscription}>
            <option value="active">Active</option>
            <option value="inactive">Inactive: requests fail with 402</option>
          </select>
        </label>
        <label className="field">
          Event retention
          <select name="event_retention_days" defaultValue={team.event_retention_days}>
            {RETENTIONS.map((days) => (
              <option key={days} value={days}>{`${days} days`}</option>
            ))}
          </select>
        </label>
        <label className="field">
          Delivery method
          <select name="courier" defaultValue={team.courier ?? ""}>
            <option value="">Default of the deployment</option>
            {Object.entries(DELIVERY_METHODS).map(([courier, { name }]) => (
              <option key={courier} value={courier}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Field
          label="IP pools"
          name="ip_pools"
          defaultValue={team.ip_pools.join(", ")}
          placeholder="none"
          hint="Separate with commas. Only the SMTP gateway uses pools."
        />
      </div>
      <h3>Limits</h3>
      <Numbers team={team} settings={LIMIT_SETTINGS} />
      <h3>Tag, topic and campaign limits</h3>
      <Numbers team={team} settings={CAP_SETTINGS} />
    </>
  );
}

interface NumbersProps {
  readonly team: Team;
  readonly settings: typeof LIMIT_SETTINGS | typeof CAP_SETTINGS;
}

function Numbers({ team, settings }: NumbersProps) {
  return (
    <div className="settings">
      {settings.map(({ field, name, means, least }) => (
        <Field
          key={field}
          label={name}
          type="number"
          name={field}
          min={least}
          max={MOST}
          step={1}
          required
          defaultValue={numberAt(team, field)}
          hint={means}
        />
      ))}
    </div>
  );
}
