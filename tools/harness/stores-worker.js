// The second worker in a workerd. It has the first worker's databases, buckets and ledgers.
// stores.ts sends it the calls.
export default {
  async fetch(request, env) {
    const { binding, ...call } = await request.json();
    return Response.json(await answer(env[binding], call));
  },
};

async function answer(store, call) {
  switch (call.kind) {
    case "sql": {
      const prepared = call.statements.map(({ sql, values }) => store.prepare(sql).bind(...values));
      return (await store.batch(prepared)).map(({ results, meta }) => ({
        rows: results,
        bytes: meta.size_after,
      }));
    }
    case "put":
      await store.put(call.key, call.value);
      return null;
    case "usage": {
      const usage = await store.getByName(call.teamId).usage(Date.now());
      return {
        messages: usage.messages,
        undelivered: usage.undelivered,
        unpaged: usage.unpaged,
      };
    }
    default:
      throw new Error(`no such call: ${call.kind}`);
  }
}
