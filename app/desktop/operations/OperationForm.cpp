#include "operations/OperationForm.h"
#include "operations/Operation.h"
#include "widgets/Words.h"
#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

static constexpr qint64 longTexts = 2000; ///< characters from which a text gets several lines

OperationForm::OperationForm(const Operation &operation, QJsonObject fixed, const QStringList &hidden, QWidget *parent)
    : QWidget(parent), m_operation(operation), m_fixed(std::move(fixed))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    QList<const Parameter *> shown;
    for (const auto &parameter : operation.parameters) {
        const auto name = QString::fromLatin1(parameter.name);
        if (!m_fixed.contains(name) && !hidden.contains(name))
            shown << &parameter;
    }
    // where nothing must be given, "optional" at every field would only be noise
    m_saysOptional =
        std::any_of(shown.begin(), shown.end(), [](const Parameter *parameter) { return parameter->required; });
    for (const auto *parameter : shown)
        addRow(column, *parameter);
}

void OperationForm::addRow(QVBoxLayout *column, const Parameter &parameter)
{
    const auto name = QString::fromLatin1(parameter.name);
    const auto help = parameter.help.translated();
    auto *field = makeField(parameter);
    field->setObjectName(QLatin1String("field.") + name);
    field->setAccessibleName(help);
    m_fields.insert(name, field);
    if (qobject_cast<QCheckBox *>(field)) {
        column->addWidget(field);
        return;
    }
    auto *pair = new QVBoxLayout;
    pair->setSpacing(4);
    auto *label = Words::plain(parameter.required || !m_saysOptional ? help : tr("%1 (optional)").arg(help), this);
    label->setWordWrap(true);
    label->setBuddy(field);
    pair->addWidget(label);
    pair->addWidget(field);
    column->addLayout(pair);
}

QWidget *OperationForm::makeField(const Parameter &parameter)
{
    const auto help = parameter.help.translated();
    if (qstrcmp(parameter.type, "boolean") == 0) {
        auto *box = new QCheckBox(help, this);
        connect(box, &QCheckBox::toggled, this, &OperationForm::edited);
        return box;
    }
    if (!parameter.choices.isEmpty() && qstrcmp(parameter.type, "string") == 0) {
        auto *choice = new QComboBox(this);
        if (!parameter.required)
            choice->addItem(QString());
        choice->addItems(parameter.choices);
        connect(choice, &QComboBox::currentTextChanged, this, &OperationForm::edited);
        return choice;
    }
    if (parameter.maximumLength >= longTexts) {
        auto *text = new QPlainTextEdit(this);
        text->setTabChangesFocus(true);
        text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::MinimumExpanding);
        text->setMinimumHeight(text->fontMetrics().lineSpacing() * 3 + 16);
        connect(text, &QPlainTextEdit::textChanged, this, &OperationForm::edited);
        return text;
    }
    auto *line = new QLineEdit(this);
    connect(line, &QLineEdit::textChanged, this, &OperationForm::edited);
    return line;
}

/// A number as JSON if it is one; otherwise the text, which parse() then refuses by name.
static QJsonValue typed(const QString &text, const char *type)
{
    bool isNumber = false;
    if (qstrcmp(type, "integer") == 0) {
        const auto number = text.toLongLong(&isNumber);
        return isNumber ? QJsonValue(number) : QJsonValue(text);
    }
    if (qstrcmp(type, "number") == 0) {
        const auto number = text.toDouble(&isNumber);
        return isNumber ? QJsonValue(number) : QJsonValue(text);
    }
    if (qstrcmp(type, "array") == 0)
        return QJsonArray::fromStringList(text.split(QChar(u','), Qt::SkipEmptyParts));
    return text;
}

static QString textIn(const QWidget *field)
{
    if (const auto *line = qobject_cast<const QLineEdit *>(field))
        return line->text().trimmed();
    if (const auto *choice = qobject_cast<const QComboBox *>(field))
        return choice->currentText();
    if (const auto *text = qobject_cast<const QPlainTextEdit *>(field))
        return text->toPlainText();
    return {};
}

QJsonValue OperationForm::value(const QString &name) const
{
    const auto *field = m_fields.value(name);
    const auto about = std::find_if(m_operation.parameters.begin(), m_operation.parameters.end(),
                                    [&](const Parameter &parameter) { return name == QLatin1String(parameter.name); });
    if (const auto *box = qobject_cast<const QCheckBox *>(field)) {
        const bool isGiven = about->required || box->isChecked() || m_present.contains(name);
        return isGiven ? QJsonValue(box->isChecked()) : QJsonValue(QJsonValue::Undefined);
    }
    const auto text = textIn(field);
    if (text.isEmpty() && !about->required)
        return QJsonValue::Undefined;
    return typed(text, about->type);
}

void OperationForm::setPresent(const QString &name, const QJsonValue &value)
{
    auto *field = m_fields.value(name);
    if (!field)
        return;
    const auto text = value.isString() ? value.toString() : value.toVariant().toString();
    if (auto *box = qobject_cast<QCheckBox *>(field))
        box->setChecked(value.toBool());
    else if (auto *line = qobject_cast<QLineEdit *>(field))
        line->setText(text);
    else if (auto *choice = qobject_cast<QComboBox *>(field))
        choice->setCurrentText(text);
    else if (auto *lines = qobject_cast<QPlainTextEdit *>(field))
        lines->setPlainText(text);
    m_present.insert(name, value);
    if (const auto shown = this->value(name); !shown.isUndefined())
        m_present.insert(name, shown); // in the form in which it will be compared
}

QJsonObject OperationForm::arguments(bool onlyChanges) const
{
    auto all = m_fixed;
    for (const auto &parameter : m_operation.parameters) {
        const auto name = QString::fromLatin1(parameter.name);
        if (!m_fields.contains(name))
            continue;
        const auto given = value(name);
        if (given.isUndefined() || (onlyChanges && m_present.contains(name) && m_present[name] == given))
            continue;
        all.insert(name, given);
    }
    return all;
}

QStringList OperationForm::emptied() const
{
    QStringList names;
    for (auto it = m_present.begin(); it != m_present.end(); ++it)
        if (value(it.key()).isUndefined())
            names << it.key();
    return names;
}
