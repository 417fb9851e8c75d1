{{/* Refuses values that would fail later or lose data silently, with a reason and a solution. */}}
{{- define "recollect.guard" -}}
{{- include "recollect.guard.listen" . -}}
{{- include "recollect.guard.secrets" . -}}
{{- include "recollect.guard.keys" (dict "known" (.Files.Get "files/keys.yaml" | fromYaml) "given" .Values.config "path" "config") -}}
{{- include "recollect.guard.env" . -}}
{{- include "recollect.guard.urls" . -}}
{{- include "recollect.guard.replicas" . -}}
{{- include "recollect.guard.metrics" . -}}
{{- if .Values.worker.enabled -}}
{{- include "recollect.guard.worker" . -}}
{{- end -}}
{{- if eq .Values.mode "gateway" -}}
{{- include "recollect.guard.gateway" . -}}
{{- end -}}
{{- end -}}

{{- define "recollect.guard.listen" -}}
{{- $host := include "recollect.host" . -}}
{{- $loopback := or (hasPrefix "127." $host) (has $host (list "localhost" "::1")) -}}
{{- if and (eq .Values.mode "sidecar") (not $loopback) -}}
{{- fail (printf "config.listen.host is %q, but a sidecar listens on loopback only. Remove it, or set mode=gateway." $host) -}}
{{- end -}}
{{- if and (eq .Values.mode "gateway") $loopback -}}
{{- fail (printf "config.listen.host is %q, so no Service could reach the gateway. Remove it, or set mode=sidecar." $host) -}}
{{- end -}}
{{- end -}}

{{- define "recollect.guard.secrets" -}}
{{- $config := include "recollect.config" . -}}
{{- if regexMatch `(?m)^[ -]*"?([a-z_]*_)?(token|api_key|hash_key|password|secret)"?: *("[^"]|[^"\s])` $config -}}
{{- fail "config holds a token, key or password, and would end up in a ConfigMap. Put it into a Secret, set secret.existingSecret and name its key in secret.keys." -}}
{{- end -}}
{{- if regexMatch `://[^/\s@]*:[^/\s@]*@` $config -}}
{{- fail "config holds a URL with a password, and would end up in a ConfigMap. Put the URL into a Secret and name its key in secret.keys (databaseUrl, indexUri, redisUrl), or take it from there by extraEnv." -}}
{{- end -}}
{{- end -}}

{{/* Without this check Recollect would refuse to start, and the error would be only in the pod's log. */}}
{{- define "recollect.guard.keys" -}}
{{- range $name, $value := .given -}}
{{- $path := printf "%s.%s" $.path $name -}}
{{- if not (or (hasKey $.known $name) (hasKey $.known "*")) -}}
{{- fail (printf "%s is no key of Recollect's configuration. Keys of %s: %s." $path $.path (keys $.known | sortAlpha | join ", ")) -}}
{{- end -}}
{{- $below := ternary (get $.known $name) (get $.known "*") (hasKey $.known $name) -}}
{{- if and (kindIs "map" $below) (kindIs "map" $value) -}}
{{- include "recollect.guard.keys" (dict "known" $below "given" $value "path" $path) -}}
{{- else if and (kindIs "map" $below) (not (kindIs "invalid" $value)) -}}
{{- fail (printf "%s takes keys below it: %s." $path (keys $below | sortAlpha | join ", ")) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "recollect.guard.env" -}}
{{- $ours := list "RECOLLECT_CONFIG" "RECOLLECT_DATA_DIR" "RECOLLECT_LISTEN__HOST" "RECOLLECT_LISTEN__PORT" -}}
{{- range .Values.extraEnv -}}
{{- if has .name $ours -}}
{{- fail (printf "extraEnv sets %s, which the chart sets itself from config and mode. Change it there." .name) -}}
{{- end -}}
{{- if and .value (regexMatch "(TOKEN|API_KEY|HASH_KEY|PASSWORD|SECRET)$" .name) -}}
{{- fail (printf "extraEnv contains the value of %s, which would be readable in the Deployment. Put it into a Secret and use secret.keys or valueFrom.secretKeyRef." .name) -}}
{{- end -}}
{{- if regexMatch `://[^/\s@]*:[^/\s@]*@` (default "" .value) -}}
{{- fail (printf "extraEnv contains the password in the URL of %s, which would be readable in the Deployment. Put the URL into a Secret and use secret.keys or valueFrom.secretKeyRef." .name) -}}
{{- end -}}
{{- end -}}
{{- range .Values.agent.env -}}
{{- if eq .name "OPENAI_BASE_URL" -}}
{{- fail "agent.env sets OPENAI_BASE_URL, which must point to the sidecar. To use another model server, set config.upstream.base_url." -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "recollect.guard.urls" -}}
{{- $keys := .Values.secret.keys -}}
{{- range $name := list "databaseUrl" "redisUrl" -}}
{{- if and (get $keys $name) (not $.Values.secret.existingSecret) -}}
{{- fail (printf "secret.keys.%s names a key of no Secret. Set secret.existingSecret, or remove the key." $name) -}}
{{- end -}}
{{- end -}}
{{- $fromEnv := include "recollect.envHas" (dict "names" (list "RECOLLECT_REDIS__URL") "env" .Values.extraEnv) -}}
{{- if and (or (dig "redis" "url" "" .Values.config) $fromEnv $keys.redisUrl) (include "recollect.databaseEmbedded" .) -}}
{{- fail "a Redis has a use only beside a PostgreSQL that several pods share. Name the key of its URL in secret.keys.databaseUrl, or remove the address of the Redis." -}}
{{- end -}}
{{- end -}}

{{- define "recollect.guard.worker" -}}
{{- $way := "or set worker.enabled=false: the proxies then learn themselves" -}}
{{- if include "recollect.databaseEmbedded" . -}}
{{- fail (printf "worker.enabled needs a shared database: a worker takes its jobs from the queue that the proxies fill. Put the URL of a PostgreSQL into the Secret and name its key in secret.keys.databaseUrl, %s." $way) -}}
{{- end -}}
{{- if not (dig "learn" "llm" "" .Values.config) -}}
{{- fail (printf "worker.enabled needs config.learn.llm: a worker never sees a client's credential, so it needs its own model, %s." $way) -}}
{{- end -}}
{{- end -}}

{{- define "recollect.guard.metrics" -}}
{{- if and .Values.metrics.enabled (eq "0" (include "recollect.metricsPort" .)) -}}
{{- fail "metrics.enabled needs a port: config.telemetry.metrics turns it off. Remove it, or set metrics.enabled=false." -}}
{{- end -}}
{{- $wanted := list -}}
{{- range list "serviceMonitor" "prometheusRule" "grafanaDashboard" -}}
{{- if (get $.Values.metrics .).enabled -}}{{- $wanted = append $wanted (printf "metrics.%s.enabled" .) -}}{{- end -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled .Values.autoscaling.targetChatsInFlight -}}
{{- $wanted = append $wanted "autoscaling.targetChatsInFlight" -}}
{{- end -}}
{{- if and .Values.worker.enabled .Values.worker.autoscaling.enabled -}}
{{- $wanted = append $wanted "worker.autoscaling.enabled" -}}
{{- end -}}
{{- if and $wanted (not .Values.metrics.enabled) -}}
{{- fail (printf "%s needs metrics.enabled=true: without it the metrics are on loopback, where nobody reads them." (join ", " $wanted)) -}}
{{- end -}}
{{- end -}}

{{- define "recollect.guard.replicas" -}}
{{- if gt (include "recollect.maxReplicas" . | int) 1 -}}
{{- if include "recollect.databaseEmbedded" . -}}
{{- fail "more than one replica needs a shared database: a file is one pod's, so turns would be learned twice or lost. Put the URL of a PostgreSQL into the Secret and name its key in secret.keys.databaseUrl, or set replicas=1 and autoscaling.enabled=false." -}}
{{- end -}}
{{- if and .Values.persistence.enabled (not (has "ReadWriteMany" .Values.persistence.accessModes)) -}}
{{- fail "more than one replica cannot share a ReadWriteOnce volume. With a shared database nothing in data_dir has to last: set persistence.enabled=false." -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "recollect.guard.gateway" -}}
{{- if not (and .Values.secret.existingSecret .Values.secret.keys.apiToken) -}}
{{- fail "gateway mode needs an API token: Recollect refuses to listen off loopback without one. Create a Secret (kubectl create secret generic recollect --from-literal=api-token=... --from-literal=identity-hash-key=...) and set secret.existingSecret=recollect." -}}
{{- end -}}
{{- $identity := dig "identity" "mode" "gateway" .Values.config -}}
{{- if and (eq $identity "gateway") (not .Values.secret.keys.identityHashKey) -}}
{{- fail "identity.mode=gateway needs a hash key: set secret.keys.identityHashKey to its key in the Secret." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- fail "ingress.enabled needs ingress.hosts: [{host: ..., paths: [{path: /, pathType: Prefix}]}]." -}}
{{- end -}}
{{- if and .Values.ingress.enabled .Values.networkPolicy.enabled (not .Values.networkPolicy.from) -}}
{{- fail "ingress.enabled with networkPolicy.enabled: the policy would block the ingress controller. Add it to networkPolicy.from, for example [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ingress-nginx}}}]." -}}
{{- end -}}
{{- end -}}
