//! Words of the objects that tools return by which these say that a call went well or failed.

/// Values of a status after a failure, in lower case with `_` between words.
pub(super) const ERRORS: &[&str] = &[
    "bad_request",
    "error",
    "errored",
    "exception",
    "fail",
    "failed",
    "failure",
    "forbidden",
    "internal_error",
    "invalid",
    "not_found",
    "timed_out",
    "timeout",
    "unauthenticated",
    "unauthorized",
    "unsuccessful",
    "erreur",
    "erro",
    "errore",
    "fallido",
    "fallito",
    "fallo",
    "falha",
    "falhou",
    "fehler",
    "fehlgeschlagen",
    "fout",
    "hata",
    "błąd",
    "échec",
    "échoué",
    "ошибка",
    "エラー",
    "失敗",
    "失败",
    "错误",
    "錯誤",
    "실패",
    "오류",
];
/// Those of [`ERRORS`] that nothing but a call can be.
pub(super) const OF_CALLS: &[&str] =
    &["bad_request", "forbidden", "invalid", "not_found", "unauthenticated", "unauthorized"];
/// Those of [`ERRORS`] that say no more than that it failed.
pub(super) const BARE: &[&str] = &["error", "errored", "fail", "failed", "failure", "unsuccessful"];
/// Values of a status after a decision against what was called for.
pub(super) const VERDICTS: &[&str] = &[
    "aborted",
    "declined",
    "denied",
    "expired",
    "refused",
    "rejected",
    "unavailable",
    "abgelehnt",
    "denegado",
    "geweigerd",
    "negado",
    "rechazada",
    "rechazado",
    "recusado",
    "refusé",
    "rifiutato",
    "отклонено",
    "拒否",
    "拒绝",
    "被拒绝",
    "거부",
];
/// Values of a status after a success.
pub(super) const GOOD: &[&str] = &[
    "accepted",
    "complete",
    "completed",
    "confirmed",
    "created",
    "done",
    "finished",
    "ok",
    "okay",
    "succeeded",
    "success",
    "successful",
    "successfully",
    "updated",
    "erfolg",
    "erfolgreich",
    "exito",
    "gelukt",
    "sucesso",
    "succès",
    "successo",
    "éxito",
    "успешно",
    "成功",
    "完成",
    "성공",
];
/// Fields with a status.
pub(super) const STATES: &[&str] = &[
    "status",
    "state",
    "result",
    "outcome",
    "estado",
    "resultado",
    "stato",
    "statut",
    "статус",
    "ステータス",
    "状态",
    "狀態",
    "結果",
    "结果",
    "상태",
];
/// Fields with the status of an answer of HTTP.
pub(super) const HTTP: &[&str] = &["status_code", "statusCode", "http_status", "httpStatus", "http_code", "httpCode"];
/// Fields with the exit status of a program, and fields that stand beside a plain `exit`.
pub(super) const EXITS: &[&str] = &["exit_code", "exitCode", "returncode", "return_code", "exit_status"];
pub(super) const PRINTED: &[&str] = &["stderr", "stdout", "output"];
/// Fields with the text of an error.
pub(super) const ERROR_TEXTS: &[&str] =
    &["error", "err", "erro", "erreur", "errore", "fehler", "エラー", "错误", "錯誤"];
/// Fields with the message of an answer.
pub(super) const MESSAGES: &[&str] = &["message", "msg", "detail", "details", "meldung", "mensaje", "mensagem", "消息"];
/// Fields that may stand beside the message of an answer that has nothing else.
pub(super) const BESIDE: &[&str] = &["code", "type", "timestamp", "path", "request_id", "requestId", "trace_id"];
/// Words by which the first sentence of such a message says that a call failed.
pub(super) const REFUSES: &[&str] = &[
    "not found",
    "no such",
    "does not exist",
    "doesn't exist",
    "failed",
    "failure",
    "invalid",
    "not valid",
    "unable to ",
    "cannot ",
    "can't ",
    "could not ",
    "couldn't ",
    "not authenticated",
    "not authorized",
    "unauthorized",
    "not allowed",
    "not permitted",
    "forbidden",
    "denied",
    "declined",
    "refused",
    "insufficient",
    "has expired",
    "is missing",
    "is required",
    "are required",
    "limit exceeded",
    "timed out",
    "nicht gefunden",
    "fehlgeschlagen",
    "ungültig",
    "abgelehnt",
    "introuvable",
    "invalide",
    "inválid",
    "no encontrad",
    "não encontrad",
    "не найден",
    "失败",
    "失敗",
    "未找到",
    "不存在",
    "无效",
    "見つかりません",
];
/// Words by which one sentence says what a value has to be.
pub(super) const MUST: &[&str] = &[" must be ", " must have ", " must contain ", " must not "];
/// Words by which such a sentence denies that something failed.
pub(super) const NONE: &[&str] =
    &["no error", "not failed", "without ", "0 failed", "none failed", "nothing failed", "no failure"];
